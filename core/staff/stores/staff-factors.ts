import { randomBytes } from 'node:crypto'
import { keyedHash, seal, unseal } from '../../platform/data-key.ts'
import { countRows, type Db, type Transaction } from '../../platform/db.ts'
import type { SecondFactor } from '../contract/staff.ts'
import { newRecoveryCode, plainRecoveryCode, stepOfCode } from '../rules/second-factor.ts'

/** The number of recovery codes that an account gets at a time. */
const RECOVERY_CODES = 10

/** SQL for whether a row of `staff_accounts` has a second factor. */
export const TWO_STEP = `exists (select from staff_totp where account_id = staff_accounts.id) as two_step`

const totpOf = (db: Db, accountId: number) => db('staff_totp').where('account_id', accountId)
const codesOf = (db: Db, accountId: number) => db('staff_recovery_codes').where('account_id', accountId)

/** Returns whether an account has a second factor. */
export async function has(db: Db, accountId: number): Promise<boolean> {
  return (await totpOf(db, accountId).first('account_id')) !== undefined
}

/** Returns the second factor of an account, for its owner. */
export async function describe(db: Db, accountId: number): Promise<Omit<SecondFactor, 'required'>> {
  const [totp, recovery_codes_left] = await Promise.all([
    totpOf(db, accountId).first('confirmed_at'),
    countRows(codesOf(db, accountId).whereNull('used_at')),
  ])
  return { totp_since: totp?.confirmed_at.toISOString() ?? null, recovery_codes_left }
}

/**
 * Turns on an app by a code of its secret, in place of an earlier app. The code is used up. Returns false when it is wrong.
 * The caller holds the lock of the account.
 */
export async function setTotp(
  trx: Transaction,
  key: Buffer,
  accountId: number,
  { secret, code }: { secret: string; code: string },
): Promise<boolean> {
  const last_step = stepOfCode(secret, code, Date.now(), null)
  if (last_step === null) return false
  const app = { sealed_secret: seal(key, secret, contextOf(accountId)), confirmed_at: trx.fn.now(), last_step }
  await trx('staff_totp')
    .insert({ account_id: accountId, ...app })
    .onConflict('account_id')
    .merge(app)
  return true
}

/** Uses up a code of an account's app. Returns false when it is wrong or used. */
export async function takeTotpCode(db: Db, key: Buffer, accountId: number, code: string): Promise<boolean> {
  const row = await totpOf(db, accountId).first('sealed_secret', 'last_step')
  if (!row) return false
  const secret = unseal(key, row.sealed_secret, contextOf(accountId))
  const step = stepOfCode(secret, code, Date.now(), Number(row.last_step))
  if (step === null) return false
  // Of two parallel calls with the same code, the second one finds the step taken.
  return (await totpOf(db, accountId).where('last_step', '<', step).update({ last_step: step })) > 0
}

/** Replaces the recovery codes of an account. Returns the codes; the database has only their hashes. */
export async function renewRecoveryCodes(trx: Transaction, key: Buffer, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(randomBytes))
  await codesOf(trx, accountId).delete()
  await trx('staff_recovery_codes').insert(
    codes.map((code) => ({ account_id: accountId, code_hash: hashOf(key, accountId, code) })),
  )
  return codes
}

/** Uses up a recovery code of an account. Returns false when it is wrong or used. */
export async function takeRecoveryCode(db: Db, key: Buffer, accountId: number, code: string): Promise<boolean> {
  const used = await codesOf(db, accountId)
    .where('code_hash', hashOf(key, accountId, code))
    .whereNull('used_at')
    .update({ used_at: db.fn.now() })
  return used > 0
}

/** Removes the second factor and the recovery codes of an account. Returns whether it had one. */
export async function remove(trx: Transaction, accountId: number): Promise<boolean> {
  await codesOf(trx, accountId).delete()
  return (await totpOf(trx, accountId).delete()) > 0
}

const contextOf = (accountId: number) => `totp of account ${accountId}`

const hashOf = (key: Buffer, accountId: number, code: string) =>
  keyedHash(key, `recovery code of account ${accountId}: ${plainRecoveryCode(code)}`)
