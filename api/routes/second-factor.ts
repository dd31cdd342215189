import type { Context } from 'koa'
import { brand } from '../../core/brand/brand.ts'
import type { Self } from '../../core/commands/staff/account.ts'
import {
  addPasskey,
  beginTotp,
  confirmTotp,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '../../core/commands/staff/add-factor.ts'
import * as calls from '../../core/contract/second-factor.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { isFactorRequired, totpUri } from '../../core/rules/second-factor.ts'
import * as factors from '../../core/stores/staff-factors.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import type { Handle } from '../handle.ts'
import { type Staff, sessionToken, setSessionCookie } from '../middleware/session.ts'
import { createPasskeys } from '../passkeys.ts'
import type { Services } from '../services.ts'

/** Registers the calls with which an account manages its own second factors. */
export function secondFactorRoutes(handle: Handle, services: Services): void {
  const { db, env } = services
  const key = deriveKey(env.DATA_KEY, 'second-factor')
  const passkeys = createPasskeys(services)
  const isRequired = ({ role }: Staff) => isFactorRequired(env.REQUIRE_SECOND_FACTOR, role)
  /** Returns the token that identifies this browser for challenges. */
  const tokenOf = (ctx: Context) => sessionToken(ctx, services) ?? ''
  /** Renews the session's token after a change, so that a stolen copy of it stops working. */
  const renewToken = async (ctx: Context, { sessionId }: Staff) => {
    if (sessionId !== null) setSessionCookie(ctx, services, await staffSessions.renew(db, sessionId))
  }

  handle(calls.getSecondFactor, async ({ staff }) => {
    const own = await factors.describe(db, self(staff).accountId)
    return { required: isRequired(staff), ...own }
  })

  handle(calls.setUpTotp, async ({ staff }) => {
    const secret = await beginTotp(db, key, self(staff))
    return { secret, uri: totpUri(secret, { issuer: brand.company, label: self(staff).email }) }
  })

  handle(calls.confirmTotp, async ({ ctx, staff, body: { code } }) => {
    const recovery_codes = await confirmTotp(db, key, self(staff), code)
    await renewToken(ctx, staff)
    return { recovery_codes }
  })

  handle(calls.requestNewPasskey, ({ ctx, staff }) => passkeys.creation(tokenOf(ctx), self(staff), staff.name))

  handle(calls.addPasskey, async ({ ctx, staff, body: { name, passkey } }) => {
    const credential = await passkeys.read(tokenOf(ctx), passkey)
    const recovery_codes = await addPasskey(db, key, self(staff), { name, credential })
    await renewToken(ctx, staff)
    return { recovery_codes }
  })

  handle(calls.removeFactor, async ({ ctx, staff, params: { id } }) => {
    if (id === 'totp') await removeTotp(db, self(staff), isRequired(staff))
    else await removePasskey(db, id, self(staff), isRequired(staff))
    await renewToken(ctx, staff)
    return { success: true }
  })

  handle(calls.renewRecoveryCodes, async ({ ctx, staff }) => {
    const recovery_codes = await renewRecoveryCodes(db, key, self(staff))
    await renewToken(ctx, staff)
    return { recovery_codes }
  })
}

/** Returns the account of the session. @throws AppError `not_found` for the shared password, which has none */
function self({ id, email, sessionId }: Staff): Self {
  if (id === null || email === null) throw new AppError('not_found', 'The shared password has no two-step sign-in.')
  return { accountId: id, email, sessionId }
}
