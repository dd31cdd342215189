import type { StaffRole } from '../core/contract/staff.ts'
import { AppError } from '../core/errors.ts'
import { isSame, verifyPassword } from '../core/passwords.ts'
import * as auditLog from '../core/stores/audit-log.ts'
import * as accounts from '../core/stores/staff-accounts.ts'
import type { SessionOwner } from '../core/stores/staff-sessions.ts'
import { type Guesses, knownDevice } from './guesses.ts'
import { sharedFingerprint } from './middleware/session.ts'
import type { Services } from './services.ts'

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

/** Where an attempt comes from. `mark` is what a known browser shows. */
export type Visitor = { address: string; mark: string | undefined }

/**
 * Tries a password at a door. Returns whose session it opens, or null when it is wrong.
 * @throws AppError `rate_limited` when whoever tries has guessed too often
 */
export async function tryPassword(
  { db, guesses }: Pick<Services, 'db'> & { guesses: Guesses },
  door: Door,
  password: string,
  { address, mark }: Visitor,
): Promise<SessionOwner | null> {
  const attempt = await guesses.admit({ address, account: door.account, device: knownDevice(mark, door.secret) })
  const owner = await door.open(password)
  if (owner) {
    await attempt.right()
    return owner
  }
  await attempt.wrong()
  await auditLog.countFailedSignIn(db, door.target)
  return null
}

/** The same answer whatever was wrong. */
export const invalidPassword = () => new AppError('unauthorized', 'Invalid password')
