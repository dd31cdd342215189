import type { Db } from '../../platform/db.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import type { RowWith } from '../../tables/table.ts'
import { MINUTE } from '../../time.ts'

/**
 * Sign-ins that are under way. A token in a cookie identifies the browser; the database has only its hash. After the
 * right password the account waits for its second step, and a challenge waits for a passkey.
 */

/** The maximum duration of a sign-in, in milliseconds. */
export const PENDING_LIFETIME = 10 * MINUTE

/** The number of wrong codes that end a sign-in. */
export const MAX_TRIES = 5

/** Returns a new token for a browser that signs in. */
export const makePendingToken = (): string => newToken()

/** Records that a browser gave the right password of an account. */
export async function begin(db: Db, token: string, accountId: number): Promise<void> {
  await db('staff_pending_sign_ins').insert({
    token_hash: hashToken(token),
    account_id: accountId,
    expires_at: lifetimeFromNow(db),
  })
}

/**
 * Finds the account whose second step a browser must take. Returns null without one, after its time, or when its tries
 * are used up.
 */
export async function find(db: Db, token: string): Promise<{ accountId: number; email: string } | null> {
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
export async function end(db: Db, token: string): Promise<boolean> {
  return (await db('staff_pending_sign_ins').where('token_hash', hashToken(token)).delete()) > 0
}

/** The purpose of a challenge that a passkey signs. */
export type ChallengePurpose = 'sign-in' | 'confirm' | 'add'

/** Stores the challenge of a browser for one purpose, in place of an earlier one. */
export async function putChallenge(db: Db, token: string, purpose: ChallengePurpose, challenge: string): Promise<void> {
  await db('staff_challenges')
    .insert({ token_hash: hashToken(token), purpose, challenge, expires_at: lifetimeFromNow(db) })
    .onConflict(['token_hash', 'purpose'])
    .merge()
}

/** Removes the challenge, which can be answered once. Returns null without one. */
export async function takeChallenge(db: Db, token: string, purpose: ChallengePurpose): Promise<string | null> {
  const [row] = await db('staff_challenges')
    .where({ token_hash: hashToken(token), purpose })
    .delete()
    .returning<RowWith<'staff_challenges', 'challenge', { is_fresh: boolean }>[]>([
      'challenge',
      db.raw('expires_at > now() as is_fresh'),
    ])
  return row?.is_fresh ? row.challenge : null
}

const lifetimeFromNow = (db: Db) => db.raw(`now() + ? * interval '1 ms'`, [PENDING_LIFETIME])
