import { AppError } from '../core/errors.ts'
import { isSame, verifyPassword } from '../core/platform/passwords.ts'
import type { StaffRole } from '../core/staff/contract/staff.ts'
import * as auditLog from '../core/staff/stores/audit-log.ts'
import * as accounts from '../core/staff/stores/staff-accounts.ts'
import type { SessionOwner } from '../core/staff/stores/staff-sessions.ts'
import { knownDevice, type LoginThrottle } from './login-throttle.ts'
import { sharedFingerprint } from './middleware/session.ts'
import type { Services } from './services.ts'

/**
 * The credential of an account or of the shared access. An unknown e-mail has one too, so that the answer and its timing
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

/** Returns the credential of the account with this e-mail. Verifying takes equally long if there is none. */
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
