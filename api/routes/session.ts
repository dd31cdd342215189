import { setTimeout } from 'node:timers/promises'
import type { Context } from 'koa'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { brand } from '../../core/brand/brand.ts'
import { HOUR, MINUTE, SECOND } from '../../core/contract/time.ts'
import { AppError, rateLimited } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { findLink, renewHash, requestReset, setPasswordByLink } from '../../core/staff/account.ts'
import * as calls from '../../core/staff/contract/session.ts'
import type { IdentityConfirmation, SecondStep } from '../../core/staff/contract/staff.ts'
import * as secondFactorCalls from '../../core/staff/contract/staff.ts'
import { isFactorRequired, newTotpSecret, totpUri } from '../../core/staff/rules/second-factor.ts'
import {
  confirmTotp,
  endSession,
  removeTotp,
  renewRecoveryCodes,
  type Self,
  wrongCode,
} from '../../core/staff/sign-in.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import * as accounts from '../../core/staff/stores/staff-accounts.ts'
import * as staffSessions from '../../core/staff/stores/staff-sessions.ts'
import type { Handle } from '../handle.ts'
import { admitReset, createLimiter, createLoginThrottle, knownDevice } from '../login-throttle.ts'
import {
  deviceCookie,
  type Staff,
  sessionCookie,
  sessionOf,
  sharedFingerprint,
  signInCookie,
} from '../middleware/session.ts'
import type { Services } from '../services.ts'
import {
  cancelSignIn,
  continueSignIn,
  credentialOf,
  describeSession,
  finishSignIn,
  verifyCredential,
} from '../sign-in.ts'

/**
 * The most wrong codes for one account within an hour, from all addresses together. Codes come with the password or a
 * session. Guessing a code then takes years: three of a million are right.
 */
const MAX_WRONG_CODES = 10

/** Returns a function that checks codes of the second step and counts the wrong ones in the database. */
function createCodeCheck({ db, env }: Pick<Services, 'db' | 'env'>) {
  const key = deriveKey(env.DATA_KEY, 'second-factor')
  const limiter = createLimiter(db, 'codes', MAX_WRONG_CODES, HOUR)

  /** Uses up a code, and returns whether it was right. @throws AppError `rate_limited` after too many wrong ones */
  return async (accountId: number, { code, recovery_code }: SecondStep): Promise<boolean> => {
    // Counted before the check, so that concurrent requests cannot exceed the limit.
    await limiter.consume(accountId).catch((refusal) => {
      throw refusal instanceof RateLimiterRes ? tooMany(refusal.msBeforeNext) : refusal
    })
    const isRight =
      code === undefined
        ? await accounts.takeRecoveryCode(db, key, accountId, recovery_code ?? '')
        : await accounts.takeTotpCode(db, key, accountId, code)
    if (isRight) await limiter.reward(accountId)
    else await auditLog.countFailedSignIn(db, accountId, 'code')
    return isRight
  }
}

const tooMany = (wait: number) =>
  rateLimited(`Too many wrong codes. Please wait ${Math.ceil(wait / MINUTE)} minutes.`, wait)

/** Each request for a link takes at least this long, so that its time does not tell which accounts exist. In milliseconds. */
export const MIN_RESET_TIME = SECOND / 2

export function sessionRoutes(handle: Handle, services: Services): void {
  const { db, env } = services
  const limits = { db, env, throttle: createLoginThrottle(db) }
  const isCodeRight = createCodeCheck(services)

  handle(calls.getSession, async ({ ctx }) => describeSession(ctx, services, await sessionOf(ctx, services)))

  handle(calls.signIn, async ({ ctx, body: { email, password } }) => {
    // Checked before any query, because an attack sends thousands of requests.
    if (email !== undefined && !deviceCookie.read(ctx, services)) limits.throttle.refuseIfFull()
    const credential = await credentialOf(services, email)
    const owner = await verifyCredential(ctx, limits, credential, password)
    // One answer for every reason, so that it does not tell which accounts exist.
    if (!owner) throw new AppError('unauthorized', 'Invalid password')

    const isNew = knownDevice(deviceCookie.read(ctx, services), credential.secret) === null
    if ('accountId' in owner) credential.secret = await renewHash(db, owner.accountId, credential.secret, password)
    return continueSignIn(ctx, services, credential, owner, { isNew })
  })

  handle(calls.passSecondStep, async ({ ctx, body: typed }) => {
    const token = signInCookie.read(ctx, services)
    const pending = token ? await staffSessions.findPending(db, token) : null
    if (!token || !pending || !(await staffSessions.takeTry(db, token))) throw startOver()
    const { accountId, email } = pending
    if (!(await isCodeRight(accountId, typed))) {
      throw (await staffSessions.findPending(db, token)) ? wrongCode() : startOver()
    }
    // Of two valid requests at the same time, only one opens a session.
    if (!(await staffSessions.endPending(db, token))) throw startOver()

    const factor = typed.code === undefined ? 'recovery_code' : 'totp'
    return finishSignIn(ctx, services, await credentialOf(services, email), { accountId }, { factor })
  })

  handle(calls.signOut, async ({ ctx }) => {
    const staff = await sessionOf(ctx, services)
    if (staff?.sessionId) {
      const actor = staff.email ?? 'staff'
      await staffSessions.end(db, staff.sessionId, staff.id)
      await auditLog.record(db, { actor, action: 'sign-out', entity: 'session', entityId: staff.sessionId })
    }

    sessionCookie.set(ctx, services, null)
    await cancelSignIn(ctx, services)
    return describeSession(ctx, services, env.ADMIN_ACCESS === 'open' ? staffSessions.OPEN_DEMO : null)
  })

  handle(calls.reportActivity, async ({ ctx }) => describeSession(ctx, services, await sessionOf(ctx, services)))

  handle(calls.confirmIdentity, async ({ ctx, staff, body }) => {
    if (staff.sessionId !== null) {
      await prove(ctx, staff, body)
      await staffSessions.confirm(db, staff.sessionId)
    }
    return describeSession(ctx, services, await sessionOf(ctx, services))
  })

  /** Checks a proof of identity. A password is none for an account with a second factor. @throws AppError `invalid` if it is wrong; not 401, because the session is valid */
  async function prove(
    ctx: Context,
    { id, email, hasFactor }: Staff,
    { password = '', code }: IdentityConfirmation,
  ): Promise<void> {
    const wrong = (sentence: string) => new AppError('invalid', sentence, { fields: { password: sentence } })
    if (code !== undefined) {
      if (id === null || !(await isCodeRight(id, { code }))) throw wrongCode()
    } else if (hasFactor) {
      throw wrong('This account has two-step sign-in. Please confirm with a code of your app.')
    } else if (!(await verifyCredential(ctx, limits, await credentialOf(services, email), password))) {
      throw wrong('Invalid password')
    }
  }
}

const startOver = () => new AppError('unauthorized', 'This sign-in has ended. Please enter your password again.')

/** Registers the calls about links to choose a password, and about the open sessions of staff. */
export function sessionsRoutes(handle: Handle, services: Services): void {
  const { db } = services

  handle(calls.requestReset, async ({ ctx, body: { email } }) => {
    await admitReset(db, ctx.ip, email)
    await Promise.all([requestReset(db, email), setTimeout(MIN_RESET_TIME)])
  })

  handle(calls.findStaffLink, async ({ body: { token } }) => {
    const { accountId: _, ...link } = await findLink(db, token)
    return link
  })

  handle(calls.choosePassword, async ({ ctx, body: { token, new_password } }) => {
    const { email } = await findLink(db, token)
    const accountId = await setPasswordByLink(db, token, new_password)
    // The owner already gets an email about the new password.
    return continueSignIn(ctx, services, await credentialOf(services, email), { accountId }, { isNew: false })
  })

  handle(calls.listSessions, async ({ staff: { id, sessionId } }) => ({
    sessions: await staffSessions.list(db, id, {
      sharedFingerprint: await sharedFingerprint(services),
      currentId: sessionId,
    }),
  }))

  handle(calls.endSession, async ({ ctx, params: { id }, staff: { sessionId }, actor }) => {
    await endSession(db, id, actor)
    if (id === sessionId) sessionCookie.set(ctx, services, null)
  })
}

export function secondFactorRoutes(handle: Handle, services: Services): void {
  const { db, env } = services
  const key = deriveKey(env.DATA_KEY, 'second-factor')
  const isRequired = ({ role }: Staff) => isFactorRequired(env.REQUIRE_SECOND_FACTOR, role)
  /** Renews the session's token after a change, so that a stolen copy of it stops working. */
  const renewToken = async (ctx: Context, { sessionId }: Staff) => {
    if (sessionId !== null) sessionCookie.set(ctx, services, await staffSessions.renew(db, sessionId))
  }

  handle(secondFactorCalls.getSecondFactor, async ({ staff }) => {
    const own = await accounts.describeFactor(db, self(staff).accountId)
    return { required: isRequired(staff), ...own }
  })

  handle(secondFactorCalls.setUpTotp, async ({ staff }) => {
    const secret = newTotpSecret()
    return { secret, uri: totpUri(secret, { issuer: brand.company, label: self(staff).email }) }
  })

  handle(secondFactorCalls.confirmTotp, async ({ ctx, staff, body }) => {
    const recovery_codes = await confirmTotp(db, key, self(staff), body)
    await renewToken(ctx, staff)
    return { recovery_codes }
  })

  handle(secondFactorCalls.removeFactor, async ({ ctx, staff }) => {
    await removeTotp(db, self(staff), isRequired(staff))
    await renewToken(ctx, staff)
  })

  handle(secondFactorCalls.renewRecoveryCodes, async ({ ctx, staff }) => {
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
