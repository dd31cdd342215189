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

/** Something that a password opens: an account, the shared access, or nothing, which looks the same from outside. */
export type Door = {
  /** By what guesses at it are counted. */
  account: string
  /** What marks of known browsers are signed with. */
  secret: string | null
  /** Of who comes in. */
  role: StaffRole
  /** For the audit log: who comes in, and where somebody failed to. */
  actor: string
  target: number | 'shared' | 'unknown'
  /** Null when the password is wrong. */
  open(password: string): Promise<SessionOwner | null>
}

/** The access that all staff share. */
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

/** The account of an e-mail, whether there is one or not: both take as long. */
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

/** Identifies the origin of an attempt: an IP address, and the mark of a known browser. */
export type Visitor = { address: string; mark: string | undefined }

/** Returns the source by which an unknown browser is queued: the largest network of its address. */
export const unknownSource = ({ address }: Visitor): Source => ({
  isKnown: false,
  key: networksOf(address).at(-1) ?? address,
})

/**
 * Tries a password at a door. Returns the owner of the session that it opens, or null when it is wrong.
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
  // The shared password is compared, not hashed: nothing to wait for.
  if (door.target === 'shared') return attempt()
  return queue.run(device ? { isKnown: true, key: device } : unknownSource(visitor), attempt)
}

/** The same answer whatever was wrong. */
export const invalidPassword = () => new AppError('unauthorized', 'Invalid password')
