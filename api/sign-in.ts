import type { StaffRole } from '../core/contract/staff.ts'
import { AppError } from '../core/errors.ts'
import { isSame, verifyPassword } from '../core/platform/passwords.ts'
import * as auditLog from '../core/stores/audit-log.ts'
import * as accounts from '../core/stores/staff-accounts.ts'
import type { SessionOwner } from '../core/stores/staff-sessions.ts'
import { type Guesses, knownDevice } from './guesses.ts'
import { sharedFingerprint } from './middleware/session.ts'
import { networksOf } from './networks.ts'
import type { Services } from './services.ts'
import type { SignInQueue, Source } from './sign-in-queue.ts'

/**
 * The target that a password is checked against: an account, the shared access, or nothing, which looks the same to the
 * client.
 */
export type Door = {
  /** The key by which wrong guesses are counted. */
  account: string
  /** The secret that signs the marks of known browsers. */
  secret: string | null
  /** The role of the session. */
  role: StaffRole
  /** The actor in the audit log, of sign-ins and failed attempts. */
  actor: string
  target: number | 'shared' | 'unknown'
  /** Returns null when the password is wrong. */
  open(password: string): Promise<SessionOwner | null>
}

/** Returns the credential of the shared access. */
export async function sharedDoor({ db, env }: Pick<Services, 'db' | 'env'>): Promise<Door> {
  const sharedFingerprintNow = await sharedFingerprint({ db, env })
  return {
    account: 'shared',
    secret: sharedFingerprintNow,
    actor: 'staff',
    role: 'manager',
    target: 'shared',
    open: async (password) =>
      sharedFingerprintNow && isSame(password, env.ADMIN_PASSWORD ?? '')
        ? { sharedFingerprint: sharedFingerprintNow }
        : null,
  }
}

/** Returns the credential of an e-mail's account, whether it exists or not: both take as long. */
export async function accountDoor({ db }: Pick<Services, 'db'>, email: string): Promise<Door> {
  const account = await accounts.findCredentials(db, email)
  return {
    account: email,
    secret: account?.passwordHash ?? null,
    actor: account?.email ?? 'unknown',
    role: account?.role ?? 'viewer',
    target: account?.id ?? 'unknown',
    open: async (password) =>
      (await verifyPassword(password, account?.passwordHash ?? null)) && account?.isEnabled
        ? { accountId: account.id }
        : null,
  }
}

/** The origin of an attempt: an IP address, and the mark of a known browser. */
export type Visitor = { address: string; mark: string | undefined }

/** Returns the queue's source of an unknown browser: the largest network of its address. */
export const unknownSource = ({ address }: Visitor): Source => ({
  isKnown: false,
  key: networksOf(address).at(-1) ?? address,
})

/**
 * Checks a password. Returns the owner of the new session, or null when it is wrong.
 * @throws AppError `rate_limited` after too many guesses, `unavailable` when too many sign-ins are waiting
 */
export async function tryPassword(
  { db, guesses, queue }: Pick<Services, 'db'> & { guesses: Guesses; queue: SignInQueue },
  door: Door,
  password: string,
  visitor: Visitor,
): Promise<SessionOwner | null> {
  const device = knownDevice(visitor.mark, door.secret)
  const attempt = async () => {
    const attempt = await guesses.admit({ address: visitor.address, account: door.account, device })
    const owner = await door.open(password).catch(async (error) => {
      await attempt.right()
      throw error
    })
    if (owner) {
      await attempt.right()
      return owner
    }
    await attempt.wrong()
    await auditLog.countFailedSignIn(db, door.target)
    return null
  }
  // The shared password is compared, not hashed, so it needs no queue.
  if (door.target === 'shared') return attempt()
  return queue.run(device ? { isKnown: true, key: device } : unknownSource(visitor), attempt)
}

/** The same answer for every reason. */
export const invalidPassword = () => new AppError('unauthorized', 'Invalid password')
