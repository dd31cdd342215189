import { HOUR, MINUTE, SECOND } from '../../contract/time.ts'
import { hashToken, newToken } from '../../platform/data-key.ts'
import { type Db, only } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import type { OpenSession, Person } from '../contract/session.ts'
import { TWO_STEP } from './staff-accounts.ts'

/** The maximum lifetime of a session, in milliseconds. */
export const SESSION_LIFETIME = 12 * HOUR

/** The default time after which a session without activity ends, in milliseconds. */
const IDLE = 30 * MINUTE

/** The precision of the last activity, in milliseconds: the row is written at most this often. */
const SEEN_EVERY = 10 * SECOND

/**
 * The time for which a confirmation of the identity is valid, in milliseconds. Signing in is a confirmation, unless the
 * provider of single sign-on may have remembered the person.
 */
const CONFIRMED_FOR = 10 * MINUTE

/** The owner of a session: an account, or the shared password, by its fingerprint. */
export type SessionOwner = { accountId: number } | { sharedFingerprint: string }

export type Device = { ip: string; userAgent: string }

/** The signed-in person, and the session. The open demo has no session. */
export type SignedIn = Person & {
  sessionId: number | null
  /** Whether the password was entered in the last minutes. Sensitive calls require it. */
  isConfirmed: boolean
  hasFactor: boolean
  isBySingleSignOn: boolean
  idleSecondsLeft: number | null
}

/** The actor of a session with the shared password, and of the open demo. */
export const SHARED: Person = {
  id: null,
  name: 'Staff',
  email: null,
  role: 'manager',
}

/** The actor of the open demo, which has no session. */
export const OPEN_DEMO: SignedIn = {
  ...SHARED,
  sessionId: null,
  isConfirmed: true,
  hasFactor: false,
  isBySingleSignOn: false,
  idleSecondsLeft: null,
}

/** Bounds the open sessions of one account, or of the shared password at one address. */
const MAX_SESSIONS = 20

/**
 * Opens a session, and ends the oldest ones of its owner beyond `MAX_SESSIONS`. The token goes to the browser; the
 * database keeps only its hash. Sessions of the shared password are counted by IP address, because one person must not be
 * able to end those of colleagues.
 * @param options `idle` is the time without activity after which it ends, in milliseconds; `isConfirmed`: signing in proved the identity
 */
export async function open(
  db: Db,
  owner: SessionOwner,
  {
    device,
    idle = IDLE,
    factor,
    isConfirmed = true,
  }: { device?: Device; idle?: number; factor?: string; isConfirmed?: boolean } = {},
): Promise<{ id: number; token: string }> {
  const token = newToken()
  const inserted = await db('staff_sessions')
    .insert({
      token_hash: hashToken(token),
      expires_at: db.raw(`now() + ? * interval '1 ms'`, [SESSION_LIFETIME]),
      idle_ends_at: db.raw(`now() + ? * interval '1 ms'`, [idle]),
      ip: device?.ip,
      user_agent: device?.userAgent.slice(0, 300),
      by_single_sign_on: factor === 'sso',
      ...(!isConfirmed && { confirmed_at: null }),
      ...('accountId' in owner ? { account_id: owner.accountId } : { shared_fingerprint: owner.sharedFingerprint }),
    })
    .returning('id')
  const ofOwner =
    'accountId' in owner
      ? db('staff_sessions').where('account_id', owner.accountId)
      : db('staff_sessions').where({ shared_fingerprint: owner.sharedFingerprint, ip: device?.ip ?? null })
  const oldest = ofOwner.select('id').orderBy('id', 'desc').offset(MAX_SESSIONS)
  await db('staff_sessions').whereIn('id', oldest).delete()
  return { id: only(inserted).id, token }
}

/**
 * Finds the person with this token. Returns null when the session has ended or expired, its account is disabled, or the
 * shared password has changed.
 * @param sharedFingerprint returns the fingerprint of the shared password, null without one. It is expensive, so it is called only
 *   when it is needed.
 */
export async function find(
  db: Db,
  token: string,
  sharedFingerprint: () => Promise<string | null>,
): Promise<SignedIn | null> {
  const row = await query(db)
    .select<FoundRow[]>(
      ...SESSION,
      'shared_fingerprint',
      db.raw("coalesce(confirmed_at > now() - ? * interval '1 ms', false) as is_confirmed", [CONFIRMED_FOR]),
      db.raw('extract(epoch from idle_ends_at - now())::integer as idle_seconds_left'),
      db.raw(TWO_STEP),
      'by_single_sign_on',
    )
    .where('token_hash', hashToken(token))
    .first()
  if (!row) return null
  const isShared = row.shared_fingerprint !== null && row.shared_fingerprint === (await sharedFingerprint())
  if (row.account_id === null && !isShared) return null

  const { id: sessionId, is_confirmed: isConfirmed, two_step: hasFactor, idle_seconds_left: idleSecondsLeft } = row
  const session = { sessionId, isConfirmed, hasFactor, isBySingleSignOn: row.by_single_sign_on, idleSecondsLeft }
  if (row.account_id === null) return { ...SHARED, ...session }
  const { account_id: id, name, email, role } = row
  return { id, name, email, role, ...session }
}

/**
 * Finds the device of the session that a job is about: both were made in one transaction. Returns null after the session
 * has ended.
 */
export async function findDevice(db: Db, jobId: string): Promise<Device | null> {
  const row = await db('staff_sessions')
    .join('jobs', (same) =>
      same.on('subject_id', 'staff_sessions.account_id').andOn('jobs.created_at', 'staff_sessions.created_at'),
    )
    .where('jobs.id', jobId)
    .where('subject_kind', 'account')
    .first('ip', 'user_agent')
  return row ? { ip: row.ip ?? '', userAgent: row.user_agent ?? '' } : null
}

/** Records an activity: the session stays open for `idle` milliseconds from now. */
export async function touch(db: Db, id: number, idle: number): Promise<void> {
  await db('staff_sessions')
    .where({ id })
    .whereRaw(`last_seen_at < now() - ? * interval '1 ms'`, [SEEN_EVERY])
    .update({ last_seen_at: db.fn.now(), idle_ends_at: db.raw(`now() + ? * interval '1 ms'`, [idle]) })
}

export async function confirm(db: Db, id: number): Promise<void> {
  await db('staff_sessions').where({ id }).update({ confirmed_at: db.fn.now() })
}

/** Replaces the token of a session. Returns the new token. */
export async function renew(db: Db, id: number): Promise<string> {
  const token = newToken()
  await db('staff_sessions')
    .where({ id })
    .update({ token_hash: hashToken(token) })
  return token
}

/** Lists the open sessions of an account, or of the shared password (null), the last used first. */
export async function list(
  db: Db,
  accountId: number | null,
  { sharedFingerprint, currentId }: { sharedFingerprint: string | null; currentId: number | null },
): Promise<OpenSession[]> {
  const rows = await query(db)
    .select<SessionRow[]>('staff_sessions.id', 'staff_sessions.created_at', 'last_seen_at', 'ip', 'user_agent')
    .where(
      accountId === null
        ? { account_id: null, shared_fingerprint: sharedFingerprint ?? '' }
        : { account_id: accountId },
    )
    .orderBy([{ column: 'last_seen_at', order: 'desc' }, 'staff_sessions.id'])
  return rows.map((row) => ({
    ...row,
    current: row.id === currentId,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }))
}

/** Ends one session of an account, or of the shared password (null). Returns whether there was one. */
export async function end(db: Db, id: number, accountId: number | null): Promise<boolean> {
  return (await db('staff_sessions').where({ id, account_id: accountId }).delete()) > 0
}

/** Ends the session with this token. Returns its id, or null without one. */
export async function endByToken(db: Db, token: string): Promise<number | null> {
  const [row] = await db('staff_sessions').where('token_hash', hashToken(token)).delete().returning('id')
  return row?.id ?? null
}

/** Ends all sessions of the shared password. Returns their number. */
export async function endShared(db: Db): Promise<number> {
  return db('staff_sessions').whereNotNull('shared_fingerprint').delete()
}

/** Ends all sessions of an account except `but`, and its sign-ins under way. Returns the number of sessions. */
export async function endAll(db: Db, accountId: number, { but }: { but?: number | null } = {}): Promise<number> {
  await db('staff_pending_sign_ins').where('account_id', accountId).delete()
  return db('staff_sessions')
    .where('account_id', accountId)
    .whereNot('id', but ?? 0)
    .delete()
}

function query(db: Db) {
  return db('staff_sessions')
    .leftJoin('staff_accounts', 'staff_accounts.id', 'account_id')
    .whereRaw('least(expires_at, idle_ends_at) > now()')
    .whereNull('disabled_at')
}

const SESSION = ['staff_sessions.id', 'account_id', 'name', 'email', 'role']
type SessionRow = RowWith<'staff_sessions', 'id' | 'created_at' | 'last_seen_at' | 'ip' | 'user_agent'>
/** A session and its account, whose columns are null for the shared password. */
type FoundRow = RowWith<
  'staff_sessions',
  'id' | 'account_id' | 'shared_fingerprint' | 'by_single_sign_on',
  RowWith<'staff_accounts', 'name' | 'email' | 'role'> & {
    is_confirmed: boolean
    two_step: boolean
    idle_seconds_left: number
  }
>

/**
 * Sign-ins that are under way. A token in a cookie identifies the browser; the database has only its hash. After the
 * right password the account waits for its second step.
 */

/** The maximum duration of a sign-in, in milliseconds. */
export const PENDING_LIFETIME = 10 * MINUTE

/** The number of wrong codes that end a sign-in. */
const MAX_TRIES = 5

/** Records that a browser gave the right password of an account. Returns the token of its sign-in. */
export async function begin(db: Db, accountId: number): Promise<string> {
  const token = newToken()
  const expires_at = db.raw(`now() + ? * interval '1 ms'`, [PENDING_LIFETIME])
  await db('staff_pending_sign_ins').insert({ token_hash: hashToken(token), account_id: accountId, expires_at })
  return token
}

/**
 * Finds the account whose second step a browser must take. Returns null without one, after its time, or when its tries
 * are used up.
 */
export async function findPending(db: Db, token: string): Promise<{ accountId: number; email: string } | null> {
  const row = await db('staff_pending_sign_ins')
    .join('staff_accounts', 'staff_accounts.id', 'account_id')
    .where('token_hash', hashToken(token))
    .where('expires_at', '>', db.fn.now())
    .where('tries', '<', MAX_TRIES)
    .whereNull('disabled_at')
    .first<RowWith<'staff_pending_sign_ins', 'account_id', { email: string }> | undefined>('account_id', 'email')
  return row ? { accountId: row.account_id, email: row.email } : null
}

/** Uses up one try. The caller does this before it checks the code, so that parallel tries are counted. */
export async function takeTry(db: Db, token: string): Promise<boolean> {
  const taken = await db('staff_pending_sign_ins')
    .where('token_hash', hashToken(token))
    .where('tries', '<', MAX_TRIES)
    .increment('tries', 1)
  return taken > 0
}

/** Ends the sign-in of a browser. Returns true to exactly one of two parallel calls. */
export async function endPending(db: Db, token: string): Promise<boolean> {
  return (await db('staff_pending_sign_ins').where('token_hash', hashToken(token)).delete()) > 0
}
