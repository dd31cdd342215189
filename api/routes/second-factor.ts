import type Router from '@koa/router'
import type { Context } from 'koa'
import { brand } from '../../core/brand.ts'
import * as factorActions from '../../core/commands/staff-factor-actions.ts'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import { RowParams } from '../../core/contract/rows.ts'
import {
  NewPasskey,
  type PasskeyOptions,
  type RecoveryCodes,
  type SecondFactor,
  TotpConfirmation,
  type TotpSetup,
} from '../../core/contract/second-factor.ts'
import type { StaffAccount } from '../../core/contract/staff.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { isFactorRequired, totpUri } from '../../core/rules/second-factor.ts'
import * as accounts from '../../core/stores/staff-accounts.ts'
import * as factors from '../../core/stores/staff-factors.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, sessionToken, setSessionCookie, signedIn, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import { createPasskeys } from '../passkeys.ts'
import type { Services } from '../services.ts'

/** What accounts have for the second step: each looks after its own; a manager resets those of others. */
export function secondFactorRoutes(router: Router, services: Services): void {
  const { db, env } = services
  const staff = [sameOrigin(env), staffOnly(services)] as const
  const key = deriveKey(env.DATA_KEY, 'second-factor')
  const passkeys = createPasskeys(services)
  const isRequired = (ctx: Context) => isFactorRequired(env.REQUIRE_SECOND_FACTOR, signedIn(ctx).role)
  /** What challenges for this browser are kept under. */
  const tokenOf = (ctx: Context) => sessionToken(ctx, services) ?? ''
  /** After each change: a copy of this session's token, which a thief may have, ends as the other sessions do. */
  const renewToken = async (ctx: Context) => {
    const { sessionId } = signedIn(ctx)
    if (sessionId !== null) setSessionCookie(ctx, services, await staffSessions.renew(db, sessionId))
  }

  router.get('/api/second-factor', ...staff, async (ctx) => {
    const own = await factors.describe(db, self(ctx).accountId)
    ctx.body = { required: isRequired(ctx), ...own } satisfies SecondFactor
  })

  router.post('/api/second-factor/totp', ...staff, async (ctx) => {
    const secret = await factorActions.beginTotp(db, key, self(ctx))
    const uri = totpUri(secret, { issuer: brand.company, label: self(ctx).email })
    ctx.body = { secret, uri } satisfies TotpSetup
  })

  router.post('/api/second-factor/totp/confirm', ...staff, async (ctx) => {
    const { code } = parse(TotpConfirmation, ctx.request.body)
    const recovery_codes = await factorActions.confirmTotp(db, key, self(ctx), code)
    await renewToken(ctx)
    ctx.body = { recovery_codes } satisfies RecoveryCodes
  })

  router.delete('/api/second-factor/totp', ...staff, async (ctx) => {
    await factorActions.removeTotp(db, self(ctx), isRequired(ctx))
    await renewToken(ctx)
    ctx.body = { success: true } satisfies ActionAnswer
  })

  router.post('/api/second-factor/passkeys/options', ...staff, async (ctx) => {
    ctx.body = (await passkeys.creation(tokenOf(ctx), self(ctx), signedIn(ctx).name)) satisfies PasskeyOptions
  })

  router.post('/api/second-factor/passkeys', ...staff, async (ctx) => {
    const { name, passkey } = parse(NewPasskey, ctx.request.body)
    const credential = await passkeys.read(tokenOf(ctx), passkey)
    const recovery_codes = await factorActions.addPasskey(db, key, self(ctx), { name, credential })
    await renewToken(ctx)
    ctx.body = { recovery_codes } satisfies RecoveryCodes
  })

  router.delete('/api/second-factor/passkeys/:id', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    await factorActions.removePasskey(db, id, self(ctx), isRequired(ctx))
    await renewToken(ctx)
    ctx.body = { success: true } satisfies ActionAnswer
  })

  router.post('/api/second-factor/recovery-codes', ...staff, async (ctx) => {
    const recovery_codes = await factorActions.renewRecoveryCodes(db, key, self(ctx))
    await renewToken(ctx)
    ctx.body = { recovery_codes } satisfies RecoveryCodes
  })

  router.post('/api/staff/:id/reset-factors', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    await factorActions.reset(db, id, actorOf(ctx))
    ctx.body = (await accounts.get(db, id)) satisfies StaffAccount
  })
}

/** @throws AppError `not_found` for the shared password, which has no account */
function self(ctx: Context): factorActions.Self {
  const { id, email, sessionId } = signedIn(ctx)
  if (id === null || email === null) throw new AppError('not_found', 'The shared password has no two-step sign-in.')
  return { accountId: id, email, sessionId }
}
