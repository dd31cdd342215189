import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../platform/db.ts'
import { MINUTE } from '../time.ts'
import type { RowWith } from './table.ts'

/**
 * Sign-ins that are under way. The browser is known by a token in a cookie, of which the database has the hash alone. After
 * the right password an account waits under it for its second step; a challenge waits under it for a passkey.
 */

/** How long a sign-in may take, in milliseconds. */
export const PENDING_LIFETIME = 10 * MINUTE

/** Wrong codes that end a sign-in: it starts over with the password. */
export const MAX_TRIES = 5

/** Returns a new token for a browser that signs in. */
export const makePendingToken = (): string => randomBytes(32).toString('base64url')

/** Notes that the password of an account was right in a browser. */
export async function begin(db: Db, token: string, accountId: number): Promise<void> {
  await db('staff_pending_sign_ins').insert({
    token_hash: hash(token),
    account_id: accountId,
    expires_at: lifetimeFromNow(db),
  })
}

/** Returns whose second step a browser is to take. Null when there is none, it has expired, or tries are used up. */
export async function find(db: Db, token: string): Promise<{ accountId: number; email: string } | null> {
  const row = await db('staff_pending_sign_ins')
    .join('staff_accounts', 'staff_accounts.id', 'account_id')
    .where('token_hash', hash(token))
    .where('expires_at', '>', db.fn.now())
    .where('tries', '<', MAX_TRIES)
    .whereNull('disabled_at')
    .first<RowWith<'staff_pending_sign_ins', 'account_id', { email: string }> | undefined>('account_id', 'email')
  return row ? { accountId: row.account_id, email: row.email } : null
}

/** Takes one of the tries, before the code is looked at: so a thousand at the same moment are a thousand. */
export async function takeTry(db: Db, token: string): Promise<boolean> {
  const taken = await db('staff_pending_sign_ins')
    .where('token_hash', hash(token))
    .where('tries', '<', MAX_TRIES)
    .increment('tries', 1)
  return taken > 0
}

/** Ends the sign-in of a browser. Returns whether there was one: of two who end it at the same time, one did. */
export async function end(db: Db, token: string): Promise<boolean> {
  return (await db('staff_pending_sign_ins').where('token_hash', hash(token)).delete()) > 0
}

/** What a passkey signs a challenge for. */
export type ChallengePurpose = 'sign-in' | 'confirm' | 'add'

/** Keeps the challenge for one purpose in a browser, in place of an earlier one. */
export async function putChallenge(db: Db, token: string, purpose: ChallengePurpose, challenge: string): Promise<void> {
  await db('staff_challenges')
    .insert({ token_hash: hash(token), purpose, challenge, expires_at: lifetimeFromNow(db) })
    .onConflict(['token_hash', 'purpose'])
    .merge()
}

/** Takes the challenge away: it is answered once, rightly or not. Null when there is none. */
export async function takeChallenge(db: Db, token: string, purpose: ChallengePurpose): Promise<string | null> {
  const [row] = await db('staff_challenges')
    .where({ token_hash: hash(token), purpose })
    .delete()
    .returning<RowWith<'staff_challenges', 'challenge', { is_fresh: boolean }>[]>([
      'challenge',
      db.raw('expires_at > now() as is_fresh'),
    ])
  return row?.is_fresh ? row.challenge : null
}

/** Deletes what has expired. Returns how many. */
export async function purge(db: Db): Promise<number> {
  const gone = await Promise.all(
    ['staff_pending_sign_ins', 'staff_challenges'].map((table) => db(table).whereRaw('expires_at <= now()').delete()),
  )
  return gone.reduce((sum, count) => sum + count, 0)
}

const lifetimeFromNow = (db: Db) => db.raw(`now() + ? * interval '1 ms'`, [PENDING_LIFETIME])

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
