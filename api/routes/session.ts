import type { Context } from 'koa'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { brand } from '../../core/brand/brand.ts'
import type { ParsedInputOf } from '../../core/contract/call.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { findLink, renewHash, type Self, setPassword, setPasswordByLink } from '../../core/staff/account.ts'
import * as calls from '../../core/staff/contract/session.ts'
import type { SecondStep } from '../../core/staff/contract/staff.ts'
import * as secondFactorCalls from '../../core/staff/contract/staff.ts'
import { isFactorRequired, totpUri } from '../../core/staff/rules/second-factor.ts'
import {
  addPasskey,
  beginTotp,
  confirmTotp,
  endSession,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  wrongCode,
} from '../../core/staff/sign-in.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import * as factors from '../../core/staff/stores/staff-factors.ts'
import * as staffSessions from '../../core/staff/stores/staff-sessions.ts'
import { HOUR, MINUTE, SECOND } from '../../core/time.ts'
import type { Handle } from '../handle.ts'
import { createLimiter, createLoginThrottle, knownDevice, markDevice } from '../login-throttle.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import {
  deviceMark,
  type Staff,
  sessionOf,
  sessionToken,
  setDeviceCookie,
  setSessionCookie,
  setSignInCookie,
  sharedFingerprint,
  signInToken,
} from '../middleware/session.ts'
import { createPasskeys } from '../passkeys.ts'
import type { Services } from '../services.ts'
import {
  accountCredential,
  createSignIn,
  invalidPassword,
  sharedCredential,
  type Visitor,
  verifyCredential,
} from '../sign-in.ts'

/**
 * The most wrong codes for one account within an hour, from all addresses together. Codes come with the password or a
 * session, and the owner can still use a passkey. Guessing a code then takes years: three of a million are right.
 */
const MAX_WRONG_CODES = 10

/** Returns a function that checks codes of the second step and counts the wrong ones in the database. */
export function createCodeCheck({ db, env }: Pick<Services, 'db' | 'env'>) {
  const key = deriveKey(env.DATA_KEY, 'second-factor')
  const limiter = createLimiter(db, 'codes', MAX_WRONG_CODES, HOUR)

  /**
   * Uses up a code of an account. Returns whether it was right.
   * @throws AppError `rate_limited` after too many wrong ones
   */
  return async (accountId: number, { code, recovery_code }: SecondStep): Promise<boolean> => {
    // Counted before the check, so that concurrent requests cannot exceed the limit.
    await limiter.consume(accountId).catch((refusal) => {
      throw refusal instanceof RateLimiterRes ? tooMany(refusal.msBeforeNext) : refusal
    })
    const isRight =
      code === undefined
        ? await factors.takeRecoveryCode(db, key, accountId, recovery_code ?? '')
        : await factors.takeTotpCode(db, key, accountId, code)
    if (isRight) await limiter.reward(accountId)
    else await auditLog.countFailedSignIn(db, accountId, 'code')
    return isRight
  }
}

function tooMany(wait: number): AppError {
  const sentence = `Too many wrong codes. Please wait ${Math.ceil(wait / MINUTE)} minutes, or use a passkey.`
  return new AppError('rate_limited', sentence, { retryAfterSeconds: Math.max(1, Math.ceil(wait / SECOND)) })
}

export function sessionRoutes(handle: Handle, services: Services): void {
  const { db, env } = services
  const limits = { db, throttle: createLoginThrottle(db) }
  const { continueSignIn, describeSession, cancelSignIn } = createSignIn(services)
  const isCodeRight = createCodeCheck(services)
  const passkeys = createPasskeys(services)
  const tokenOf = (ctx: Context) => sessionToken(ctx, services) ?? ''

  handle(calls.getSession, async ({ ctx }) => describeSession(ctx, await sessionOf(ctx, services)))

  handle(calls.signIn, async ({ ctx, body: { email, password } }) => {
    // Checked before any query, because an attack sends thousands of requests.
    if (email !== undefined && !deviceMark(ctx)) limits.throttle.refuseIfFull()
    const credential = email === undefined ? await sharedCredential(services) : await accountCredential(services, email)
    const owner = await verifyCredential(limits, credential, password, visitor(ctx))
    if (!owner) throw invalidPassword()

    const isNew = knownDevice(deviceMark(ctx), credential.secret) === null
    if ('accountId' in owner) credential.secret = await renewHash(db, owner.accountId, credential.secret, password)
    return continueSignIn(ctx, credential, owner, { isNew })
  })

  handle(calls.signOut, async ({ ctx }) => {
    const staff = await sessionOf(ctx, services)
    if (staff?.sessionId) {
      const actor = staff.email ?? 'staff'
      await staffSessions.end(db, staff.sessionId)
      await auditLog.record(db, { actor, action: 'sign-out', entity: 'session', entityId: staff.sessionId })
    }

    setSessionCookie(ctx, services, null)
    await cancelSignIn(ctx)
    return describeSession(ctx, env.ADMIN_ACCESS === 'open' ? staffSessions.OPEN_DEMO : null)
  })

  handle(calls.reportActivity, async ({ ctx }) => describeSession(ctx, await sessionOf(ctx, services)))

  handle(calls.confirmIdentity, async ({ ctx, staff, body }) => {
    if (staff.sessionId !== null) {
      await prove(ctx, staff, body)
      await staffSessions.confirm(db, staff.sessionId)
    }
    return describeSession(ctx, await sessionOf(ctx, services))
  })

  handle(calls.requestConfirmationPasskey, async ({ ctx, staff: { id } }) => {
    if (id === null) throw new AppError('not_found', 'The shared password has no passkeys.')
    return passkeys.request(tokenOf(ctx), 'confirm', id)
  })

  handle(
    calls.changePassword,
    async ({ ctx, staff: { id, email, sessionId }, actor, body: { password, new_password } }) => {
      if (id === null || email === null) {
        throw new AppError('conflict', 'The shared password is set where Leadwell is installed, as ADMIN_PASSWORD.')
      }
      const credential = await accountCredential(services, email)
      if (!(await verifyCredential(limits, credential, password, visitor(ctx))))
        throw wrong('password', 'Invalid password')
      if (new_password === password) throw wrong('new_password', 'The new password must differ from the current one')

      const changed = await setPassword(db, id, new_password, { ...actor, keepSession: sessionId })
      if (changed.token) setSessionCookie(ctx, services, changed.token)
      const { secret } = await accountCredential(services, email)
      if (secret) setDeviceCookie(ctx, services, markDevice(secret))
      return describeSession(ctx, changed.token ? await staffSessions.find(db, changed.token, async () => null) : null)
    },
  )

  handle(calls.findStaffLink, async ({ body: { token } }) => {
    const { accountId: _, ...link } = await findLink(db, token)
    return link
  })

  handle(calls.choosePassword, async ({ ctx, body: { token, new_password } }) => {
    const { email } = await findLink(db, token)
    const accountId = await setPasswordByLink(db, token, new_password)
    // The owner already gets an email about the new password.
    return continueSignIn(ctx, await accountCredential(services, email), { accountId }, { isNew: false })
  })

  /** Checks a proof of identity. A password is none for an account with a second factor. @throws AppError `invalid` if it is wrong; not 401, because the session is valid */
  async function prove(
    ctx: Context,
    { id, email, factors }: Staff,
    { password = '', code, passkey }: Proofs,
  ): Promise<void> {
    if (code !== undefined) {
      if (id === null || !(await isCodeRight(id, { code }))) throw wrongCode()
    } else if (passkey) {
      const proof = await passkeys.verify(tokenOf(ctx), 'confirm', passkey)
      if (!proof || proof.accountId !== id) throw wrong('passkey', 'This passkey was not accepted. Please try again.')
    } else if (factors.length > 0) {
      throw wrong('password', 'This account has two-step sign-in. Please confirm with a code of your app or a passkey.')
    } else {
      const credential = email === null ? await sharedCredential(services) : await accountCredential(services, email)
      if (!(await verifyCredential(limits, credential, password, visitor(ctx))))
        throw wrong('password', 'Invalid password')
    }
  }
}

type Proofs = ParsedInputOf<typeof calls.confirmIdentity>['body']

function visitor(ctx: Context): Visitor {
  return { address: ctx.ip, mark: deviceMark(ctx) }
}

function wrong(field: string, sentence: string): AppError {
  return new AppError('invalid', sentence, { fields: { [field]: sentence } })
}

/** Registers the calls about the open sessions of staff. */
export function sessionsRoutes(handle: Handle, services: Services): void {
  const { db } = services

  handle(calls.listSessions, async ({ query: { of }, staff: { id, role, sessionId } }) => {
    if (of === 'everybody' && role !== 'manager') {
      throw new AppError('forbidden', 'Only managers may see the sessions of others.')
    }

    const sessions = await staffSessions.list(db, {
      of: of === 'everybody' ? of : { accountId: id },
      sharedFingerprint: await sharedFingerprint(services),
      currentId: sessionId,
    })
    return { sessions }
  })

  handle(calls.endSession, async ({ ctx, params: { id }, staff: { role, sessionId, isConfirmed }, actor }) => {
    await endSession(db, id, { ...actor, role, isConfirmed })
    if (id === sessionId) setSessionCookie(ctx, services, null)
    return { success: true }
  })
}

/** The most challenges for one address in a minute. */
const MAX_CHALLENGES_PER_MINUTE = 30

/** Registers the calls for the second step of a sign-in, and for sign-ins with a passkey, which need no first step. */
export function secondStepRoutes(handle: Handle, services: Services): void {
  const { db } = services
  const { finishSignIn } = createSignIn(services)
  const isCodeRight = createCodeCheck(services)
  const passkeys = createPasskeys(services)
  const limit = rateLimit(MAX_CHALLENGES_PER_MINUTE, 'Too many attempts. Please wait a minute.')

  handle(calls.passSecondStep, async ({ ctx, body: typed }) => {
    const token = signInToken(ctx, services)
    const pending = token ? await staffSessions.findPending(db, token) : null
    if (!token || !pending || !(await staffSessions.takeTry(db, token))) throw startOver()
    const { accountId, email } = pending
    if (!(await isCodeRight(accountId, typed))) {
      throw (await staffSessions.findPending(db, token)) ? wrongCode() : startOver()
    }
    // Of two valid requests at the same time, only one opens a session.
    if (!(await staffSessions.endPending(db, token))) throw startOver()

    const factor = typed.code === undefined ? 'recovery_code' : 'totp'
    return finishSignIn(ctx, await accountCredential(services, email), { accountId }, { factor })
  })

  handle(calls.requestSignInPasskey, limit, async ({ ctx }) => {
    const given = signInToken(ctx, services)
    const pending = given ? await staffSessions.findPending(db, given) : null
    const token = given && pending ? given : staffSessions.makePendingToken()
    setSignInCookie(ctx, services, token)
    return passkeys.request(token, 'sign-in', pending?.accountId ?? null)
  })

  handle(calls.signInByPasskey, async ({ ctx, body: { passkey } }) => {
    const token = signInToken(ctx, services)
    const proof = token ? await passkeys.verify(token, 'sign-in', passkey) : null
    if (!proof) throw new AppError('unauthorized', 'This passkey was not accepted. Please try again.')

    const { accountId, email } = proof
    return finishSignIn(ctx, await accountCredential(services, email), { accountId }, { factor: 'passkey' })
  })
}

const startOver = () => new AppError('unauthorized', 'This sign-in has ended. Please enter your password again.')

/** Registers the secondFactorCalls with which an account manages its own second factors. */
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

  handle(secondFactorCalls.getSecondFactor, async ({ staff }) => {
    const own = await factors.describe(db, self(staff).accountId)
    return { required: isRequired(staff), ...own }
  })

  handle(secondFactorCalls.setUpTotp, async ({ staff }) => {
    const secret = await beginTotp(db, key, self(staff))
    return { secret, uri: totpUri(secret, { issuer: brand.company, label: self(staff).email }) }
  })

  handle(secondFactorCalls.confirmTotp, async ({ ctx, staff, body: { code } }) => {
    const recovery_codes = await confirmTotp(db, key, self(staff), code)
    await renewToken(ctx, staff)
    return { recovery_codes }
  })

  handle(secondFactorCalls.requestNewPasskey, ({ ctx, staff }) =>
    passkeys.creation(tokenOf(ctx), self(staff), staff.name),
  )

  handle(secondFactorCalls.addPasskey, async ({ ctx, staff, body: { name, passkey } }) => {
    const credential = await passkeys.read(tokenOf(ctx), passkey)
    const recovery_codes = await addPasskey(db, key, self(staff), { name, credential })
    await renewToken(ctx, staff)
    return { recovery_codes }
  })

  handle(secondFactorCalls.removeFactor, async ({ ctx, staff, params: { id } }) => {
    if (id === 'totp') await removeTotp(db, self(staff), isRequired(staff))
    else await removePasskey(db, id, self(staff), isRequired(staff))
    await renewToken(ctx, staff)
    return { success: true }
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
