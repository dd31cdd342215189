import type { Context } from 'koa'
import { AppError } from '../core/errors.ts'
import { isSame, verifyPassword } from '../core/platform/passwords.ts'
import { type Session, SINGLE_SIGN_ON } from '../core/staff/contract/session.ts'
import type { StaffRole } from '../core/staff/contract/staff.ts'
import { signIn } from '../core/staff/sign-in.ts'
import * as auditLog from '../core/staff/stores/audit-log.ts'
import * as accounts from '../core/staff/stores/staff-accounts.ts'
import { isSharedPasswordOff } from '../core/staff/stores/staff-accounts.ts'
import * as factors from '../core/staff/stores/staff-factors.ts'
import type { SessionOwner } from '../core/staff/stores/staff-sessions.ts'
import * as staffSessions from '../core/staff/stores/staff-sessions.ts'
import { MINUTE } from '../core/time.ts'
import { knownDevice, type LoginThrottle, markDevice } from './login-throttle.ts'
import {
  deviceMark,
  lacksFactor,
  type Staff,
  sessionToken,
  setDeviceCookie,
  setSessionCookie,
  setSignInCookie,
  sharedFingerprint,
  signInToken,
} from './middleware/session.ts'
import type { Services } from './services.ts'

/**
 * The credential of an account or of the shared access. An unknown email has one too, so that the answer and its timing
 * do not tell whether the account exists.
 */
export type Credential = {
  /** The key by which failed attempts are counted. */
  account: string
  /** Signs the marks of known browsers. */
  secret: string | null
  /** The role of the session. */
  role: StaffRole
  /** The actor in the audit log, of sign-ins and failed attempts. */
  actor: string
  target: number | 'shared' | 'unknown'
  /** Returns null when the password is wrong. */
  verify(password: string): Promise<SessionOwner | null>
}

/** Returns the credential of the shared access. */
export async function sharedCredential({ db, env }: Pick<Services, 'db' | 'env'>): Promise<Credential> {
  const secret = await sharedFingerprint({ db, env })
  return {
    account: 'shared',
    secret,
    actor: 'staff',
    role: 'manager',
    target: 'shared',
    verify: async (password) =>
      secret && isSame(password, env.ADMIN_PASSWORD ?? '') ? { sharedFingerprint: secret } : null,
  }
}

/** Returns the credential of the account with this email. Verifying takes equally long if there is none. */
export async function accountCredential({ db }: Pick<Services, 'db'>, email: string): Promise<Credential> {
  const account = await accounts.findCredentials(db, email)
  return {
    account: email,
    secret: account?.passwordHash ?? null,
    actor: account?.email ?? 'unknown',
    role: account?.role ?? 'viewer',
    target: account?.id ?? 'unknown',
    verify: async (password) =>
      (await verifyPassword(password, account?.passwordHash ?? null)) && account?.isEnabled
        ? { accountId: account.id }
        : null,
  }
}

/** The origin of an attempt: its IP address, and the mark that a known browser sends. */
export type Visitor = { address: string; mark: string | undefined }

/**
 * Verifies a password and counts the failed attempts. Returns the owner of the new session, or null when it is wrong.
 * @throws AppError `rate_limited` after too many failed attempts, `unavailable` when too many sign-ins are waiting
 */
export async function verifyCredential(
  { db, throttle }: Pick<Services, 'db'> & { throttle: LoginThrottle },
  credential: Credential,
  password: string,
  visitor: Visitor,
): Promise<SessionOwner | null> {
  const device = knownDevice(visitor.mark, credential.secret)
  const verify = async () => {
    const attempt = await throttle.admit({ address: visitor.address, account: credential.account, device })
    const owner = await credential.verify(password).catch(async (error) => {
      await attempt.refund()
      throw error
    })
    if (owner) {
      await attempt.refund()
      return owner
    }
    await attempt.fail()
    await auditLog.countFailedSignIn(db, credential.target)
    return null
  }
  // The shared password is compared, not hashed.
  if (device || credential.target === 'shared') return verify()
  throttle.refuseIfFull()
  return throttle.unknownAtOnce(verify)
}

/** Returns one answer for every reason, so that it does not tell which accounts exist. */
export const invalidPassword = () => new AppError('unauthorized', 'Invalid password')

/**
 * `factor`: what the second step was passed with. `isNew`: whether the owner gets an email about a new browser; by default
 * if this one has not signed in to the account before. `isConfirmed`: signing in proved the identity just now, by default true.
 */
type Options = { isNew?: boolean; factor?: string; isConfirmed?: boolean }

/** Creates the last steps that every way to sign in has in common. */
export function createSignIn(services: Services) {
  const { db, env } = services

  /** Continues after the first factor: begins the second step, or opens the session if the account has none. */
  async function continueSignIn(
    ctx: Context,
    credential: Credential,
    owner: staffSessions.SessionOwner,
    options: Options = {},
  ): Promise<Session> {
    const hasFactor = 'accountId' in owner && (await factors.kinds(db, owner.accountId)).length > 0
    if (!hasFactor) return finishSignIn(ctx, credential, owner, options)

    const token = staffSessions.makePendingToken()
    await staffSessions.begin(db, token, owner.accountId)
    setSignInCookie(ctx, services, token)
    return describeSession(ctx, null, token)
  }

  /** Opens a session in this browser and describes it. */
  async function finishSignIn(
    ctx: Context,
    credential: Credential,
    owner: staffSessions.SessionOwner,
    options: Options = {},
  ): Promise<Session> {
    const token = await openSession(ctx, credential, owner, options)
    return describeSession(ctx, await staffSessions.find(db, token, async () => credential.secret))
  }

  /** Opens a session in this browser, replacing its earlier one. Returns the token. */
  async function openSession(
    ctx: Context,
    credential: Credential,
    owner: staffSessions.SessionOwner,
    options: Options,
  ): Promise<string> {
    const { secret, actor } = credential
    const { isNew = knownDevice(deviceMark(ctx), secret) === null, factor, isConfirmed } = options
    const device = { ip: ctx.ip, userAgent: ctx.get('user-agent') }
    const from = {
      device,
      oldToken: sessionToken(ctx, services),
      isNew,
      idle: env.STAFF_IDLE_MINUTES * MINUTE,
      factor,
      isConfirmed,
    }
    const token = await signIn(db, owner, from, { actor })
    setSessionCookie(ctx, services, token)
    await cancelSignIn(ctx)
    if (secret) setDeviceCookie(ctx, services, markDevice(secret))
    return token
  }

  /** Ends the pending sign-in of this browser, if there is one. */
  async function cancelSignIn(ctx: Context): Promise<void> {
    const token = signInToken(ctx, services)
    if (token === undefined) return
    await staffSessions.endPending(db, token)
    setSignInCookie(ctx, services, null)
  }

  /** Describes the session, or the second step that is pending. */
  async function describeSession(
    ctx: Context,
    staff: Staff | null,
    pending = signInToken(ctx, services),
  ): Promise<Session> {
    const [account, isSharedOff, passkey, secondStep] = await Promise.all([
      accounts.canSignIn(db),
      isSharedPasswordOff(db),
      factors.hasPasskeys(db),
      staff || pending === undefined ? null : staffSessions.findPending(db, pending),
    ])
    const site = {
      access: env.ADMIN_ACCESS,
      time_zone: env.NETWORK_TIME_ZONE,
      ways: {
        account,
        shared: Boolean(env.ADMIN_PASSWORD) && !isSharedOff,
        passkey,
        single_sign_on: env.OIDC_ISSUER ? SINGLE_SIGN_ON : null,
      },
    }
    if (!staff) {
      const step = secondStep && { second_step: await factors.kinds(db, secondStep.accountId) }
      return { authenticated: false, ...step, ...site }
    }
    const { sessionId: _, isConfirmed, isBySingleSignOn: __, idleSecondsLeft, factors: own, ...person } = staff
    return {
      authenticated: true,
      ...site,
      ...(idleSecondsLeft !== null && { idle_seconds_left: idleSecondsLeft }),
      identity_confirmed: isConfirmed,
      ...(person.id !== null && { factors: own, lacks_factor: lacksFactor(staff, services) }),
      staff: person,
    }
  }

  return { continueSignIn, finishSignIn, openSession, cancelSignIn, describeSession }
}
