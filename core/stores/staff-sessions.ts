import { createHash, randomBytes } from 'node:crypto'
import type { OpenSession, Person } from '../contract/session.ts'
import type { Db } from '../db.ts'
import { HOUR, MINUTE } from '../time.ts'

/** How long staff stay signed in, in milliseconds. */
export const SESSION_LIFETIME = 12 * HOUR

/** How exactly we know when a session was last used, in milliseconds: so often its row is written. */
const SEEN_EVERY = 5 * MINUTE

/** Whose session it is: an account's, or of the shared password, known by its fingerprint. */
export type SessionOwner = { accountId: number } | { sharedFingerprint: string }

/** Where it was opened. */
export type Device = { ip: string; userAgent: string }

/** Who acts, and by which session; none in the open demo. */
export type SignedIn = Person & { sessionId: number | null }

/** What whoever comes in with the shared password, or in the open demo, is taken for. */
export const SHARED: Person = {
  id: null,
  name: 'Staff',
  email: null,
  role: 'manager',
  must_change_password: false,
}

/** Opens a session. The token goes to the browser; the database only keeps its hash. */
export async function open(db: Db, owner: SessionOwner, device?: Device): Promise<{ id: number; token: string }> {
  const token = randomBytes(32).toString('base64url')
  const [{ id }] = await db('staff_sessions')
    .insert({
      token_hash: hash(token),
      expires_at: db.raw(`now() + ? * interval '1 ms'`, [SESSION_LIFETIME]),
      ip: device?.ip,
      user_agent: device?.userAgent.slice(0, 300),
      ...('accountId' in owner ? { account_id: owner.accountId } : { shared_fingerprint: owner.sharedFingerprint }),
    })
    .returning('id')
  return { id, token }
}

/** Whoever has this token, while it is good: not expired or ended, its account enabled, its shared password the same. */
export async function find(db: Db, token: string, sharedFingerprint: Fingerprint): Promise<SignedIn | null> {
  const row = await query(db)
    .select('shared_fingerprint', db.raw("last_seen_at < now() - ? * interval '1 ms' as is_stale", [SEEN_EVERY]))
    .where('token_hash', hash(token))
    .first()
  if (!row) return null
  const isShared = row.shared_fingerprint !== null && row.shared_fingerprint === (await sharedFingerprint())
  if (row.account_id === null && !isShared) return null

  if (row.is_stale) await db('staff_sessions').where('id', row.id).update({ last_seen_at: db.fn.now() })
  if (row.account_id === null) return { ...SHARED, sessionId: row.id }
  const { account_id: id, name, email, role, password_expires_at } = row
  return { id, name, email, role, must_change_password: password_expires_at !== null, sessionId: row.id }
}

/** Null where there is no shared password. It takes long to make, so only when it is needed. */
export type Fingerprint = () => Promise<string | null>

/** The open sessions, the last used first: of one account, of the shared password (null), or of everybody. */
export async function list(
  db: Db,
  {
    of,
    sharedFingerprint,
    currentId,
  }: { of: { accountId: number | null } | 'everybody'; sharedFingerprint: string | null; currentId: number | null },
): Promise<OpenSession[]> {
  const rows = await query(db)
    .select('staff_sessions.created_at', 'last_seen_at', 'expires_at', 'ip', 'user_agent')
    .where((open) => {
      open.whereNotNull('account_id')
      if (sharedFingerprint) open.orWhere('shared_fingerprint', sharedFingerprint)
    })
    .modify((all) => of === 'everybody' || all.where('account_id', of.accountId))
    .orderBy([{ column: 'last_seen_at', order: 'desc' }, 'staff_sessions.id'])
  return rows.map(({ account_id, name, email, role, ...row }: SessionRow) => ({
    id: row.id,
    current: row.id === currentId,
    account: account_id === null ? null : { id: account_id, name, email, role },
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ip: row.ip,
    user_agent: row.user_agent,
  }))
}

/** Ends one session. Returns whose it was (null: of the shared password), or null if there is none. */
export async function end(db: Db, id: number): Promise<{ accountId: number | null } | null> {
  const [row] = await db('staff_sessions').where({ id }).delete().returning('account_id')
  return row ? { accountId: row.account_id } : null
}

/** Ends every session of an account, but for one if that is given. Returns how many. */
export async function endAll(db: Db, accountId: number, { but }: { but?: number | null } = {}): Promise<number> {
  return db('staff_sessions')
    .where('account_id', accountId)
    .whereNot('id', but ?? 0)
    .delete()
}

/** Deletes what has expired. Returns how many. */
export async function purge(db: Db): Promise<number> {
  return db('staff_sessions').where('expires_at', '<=', db.fn.now()).delete()
}

function query(db: Db) {
  return db('staff_sessions')
    .leftJoin('staff_accounts', 'staff_accounts.id', 'account_id')
    .select('staff_sessions.id', 'account_id', 'name', 'email', 'role', 'password_expires_at')
    .where('expires_at', '>', db.fn.now())
    .whereNull('disabled_at')
}

type SessionRow = Pick<OpenSession, 'id' | 'ip' | 'user_agent'> &
  Pick<NonNullable<OpenSession['account']>, 'name' | 'email' | 'role'> & {
    account_id: number | null
    created_at: Date
    last_seen_at: Date
    expires_at: Date
  }

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
