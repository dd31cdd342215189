import type { Context } from 'koa'
import { MINUTE } from '../core/contract/time.ts'
import { isSame, verifyPassword } from '../core/platform/passwords.ts'
import { type Session, SINGLE_SIGN_ON } from '../core/staff/contract/session.ts'
import { signIn } from '../core/staff/sign-in.ts'
import * as auditLog from '../core/staff/stores/audit-log.ts'
import * as accounts from '../core/staff/stores/staff-accounts.ts'
import type { SessionOwner } from '../core/staff/stores/staff-sessions.ts'
import * as staffSessions from '../core/staff/stores/staff-sessions.ts'
import { knownDevice, type LoginThrottle, markDevice } from './login-throttle.ts'
import {
  deviceCookie,
  lacksFactor,
  type Staff,
  sessionCookie,
  sharedFingerprint,
  signInCookie,
} from './middleware/session.ts'
import type { Services } from './services.ts'

/** An unknown email has a credential, too, so that answer and timing do not tell whether the account exists. */
type Credential = {
  /** The key by which failed attempts are counted. */
  account: string
  /** Signs the marks of known browsers. */
  secret: string | null
  /** The actor in the audit log, of sign-ins and failed attempts. */
  actor: string
  target: number | 'shared' | 'unknown'
  /** Returns null when the password is wrong. */
  verify(password: string): Promise<SessionOwner | null>
}

/** Returns the credential of the account with this email, or of the shared access. Verifying takes equally long without an account. */
export async function credentialOf(
  services: Pick<Services, 'db' | 'env'>,
  email: string | null = null,
): Promise<Credential> {
  const { db, env } = services
  if (email === null) {
    const secret = await sharedFingerprint(services)
    return {
      ...{ account: 'shared', secret, actor: 'staff', target: 'shared' },
      verify: async (password) =>
        secret && isSame(password, env.ADMIN_PASSWORD ?? '') ? { sharedFingerprint: secret } : null,
    }
  }
  const account = await accounts.findCredentials(db, email)
  return {
    account: email,
    secret: account?.passwordHash ?? null,
    actor: account?.email ?? 'unknown',
    target: account?.id ?? 'unknown',
    verify: async (password) =>
      (await verifyPassword(password, account?.passwordHash ?? null)) && account?.isEnabled
        ? { accountId: account.id }
        : null,
  }
}

/**
 * Verifies a password from a browser and counts the failed attempts. Returns the owner of the new session, or null when it is
 * wrong.
 * @throws AppError `rate_limited` after too many failed attempts, `unavailable` when too many sign-ins are waiting
 */
export async function verifyCredential(
  ctx: Context,
  services: Pick<Services, 'db' | 'env'> & { throttle: LoginThrottle },
  credential: Credential,
  password: string,
): Promise<SessionOwner | null> {
  const { db, throttle } = services
  const device = knownDevice(deviceCookie.read(ctx, services), credential.secret)
  const verify = async () => {
    const attempt = await throttle.admit({ address: ctx.ip, account: credential.account, device })
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

/**
 * `factor`: what the second step was passed with. `isNew`: whether the owner gets an email about a new browser; by default
 * if this one has not signed in to the account before. `isConfirmed`: signing in proved the identity just now, by default true.
 */
type Options = { isNew?: boolean; factor?: string; isConfirmed?: boolean }

/** Continues after the first factor: begins the second step, or opens the session if the account has none. */
export async function continueSignIn(
  ctx: Context,
  services: Services,
  credential: Credential,
  owner: SessionOwner,
  options: Options = {},
): Promise<Session> {
  const hasFactor = 'accountId' in owner && (await accounts.hasFactor(services.db, owner.accountId))
  if (!hasFactor) return finishSignIn(ctx, services, credential, owner, options)

  const token = await staffSessions.begin(services.db, owner.accountId)
  signInCookie.set(ctx, services, token)
  return describeSession(ctx, services, null, token)
}

/** Opens a session in this browser and describes it. */
export async function finishSignIn(
  ctx: Context,
  services: Services,
  credential: Credential,
  owner: SessionOwner,
  options: Options = {},
): Promise<Session> {
  const token = await openSession(ctx, services, credential, owner, options)
  return describeSession(ctx, services, await staffSessions.find(services.db, token, async () => credential.secret))
}

/** Opens a session in this browser, replacing its earlier one. Returns the token. */
export async function openSession(
  ctx: Context,
  services: Services,
  { secret, actor }: Credential,
  owner: SessionOwner,
  { isNew = knownDevice(deviceCookie.read(ctx, services), secret) === null, factor, isConfirmed }: Options,
): Promise<string> {
  const { db, env } = services
  const from = {
    device: { ip: ctx.ip, userAgent: ctx.get('user-agent') },
    oldToken: sessionCookie.read(ctx, services),
    idle: env.STAFF_IDLE_MINUTES * MINUTE,
    ...{ isNew, factor, isConfirmed },
  }
  const token = await signIn(db, owner, from, { actor })
  sessionCookie.set(ctx, services, token)
  await cancelSignIn(ctx, services)
  if (secret) deviceCookie.set(ctx, services, markDevice(secret))
  return token
}

export async function cancelSignIn(ctx: Context, services: Services): Promise<void> {
  const token = signInCookie.read(ctx, services)
  if (token === undefined) return
  await staffSessions.endPending(services.db, token)
  signInCookie.set(ctx, services, null)
}

/** Describes the session, or the second step that is pending. */
export async function describeSession(
  ctx: Context,
  services: Services,
  staff: Staff | null,
  pending = signInCookie.read(ctx, services),
): Promise<Session> {
  const { db, env } = services
  const [account, isSharedOff, secondStep] = await Promise.all([
    accounts.canSignIn(db),
    accounts.isSharedPasswordOff(db),
    staff || pending === undefined ? null : staffSessions.findPending(db, pending),
  ])
  const site = {
    access: env.ADMIN_ACCESS,
    time_zone: env.NETWORK_TIME_ZONE,
    ways: {
      account,
      shared: Boolean(env.ADMIN_PASSWORD) && !isSharedOff,
      single_sign_on: env.OIDC_ISSUER ? SINGLE_SIGN_ON : null,
    },
  }
  if (!staff) return { authenticated: false, ...(secondStep && { second_step: true }), ...site }
  const { id, name, email, role, idleSecondsLeft, isConfirmed, hasFactor } = staff
  return {
    authenticated: true,
    ...site,
    ...(idleSecondsLeft !== null && { idle_seconds_left: idleSecondsLeft }),
    identity_confirmed: isConfirmed,
    ...(id !== null && { two_step: hasFactor, lacks_factor: lacksFactor(staff, services) }),
    staff: { id, name, email, role },
  }
}
