import { randomBytes } from 'node:crypto'
import { keyedHash, seal, unseal } from '../../platform/data-key.ts'
import { countRows, type Db, type Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import type { Factor, Passkey, SecondFactor } from '../contract/staff.ts'
import { newRecoveryCode, plainRecoveryCode, stepOfCode } from '../rules/second-factor.ts'

/** The number of recovery codes that an account gets at a time. */
const RECOVERY_CODES = 10

/** SQL for the second factors of a row of `staff_accounts`, as an array of `Factor`. */
export const FACTORS_OF_ACCOUNT = `array_remove(array[
  case when exists (
    select from staff_totp where account_id = staff_accounts.id and confirmed_at is not null
  ) then 'totp' end,
  case when exists (select from staff_passkeys where account_id = staff_accounts.id) then 'passkey' end
], null) as factors`

/** Returns the second factors of an account. */
export async function kinds(db: Db, accountId: number): Promise<Factor[]> {
  const row = await db('staff_accounts')
    .where('id', accountId)
    .first<{ factors: Factor[] } | undefined>(db.raw(FACTORS_OF_ACCOUNT))
  return row?.factors ?? []
}

/** Returns the second factors of an account in detail, for its owner. */
export async function describe(db: Db, accountId: number): Promise<Omit<SecondFactor, 'required'>> {
  const [totp, passkeys, left] = await Promise.all([
    db('staff_totp').where('account_id', accountId).first('confirmed_at'),
    db('staff_passkeys')
      .where('account_id', accountId)
      .orderBy('id')
      .select(...PASSKEY),
    recoveryCodesLeft(db, accountId),
  ])
  return {
    totp_since: totp?.confirmed_at?.toISOString() ?? null,
    passkeys: passkeys.map(presentPasskey),
    recovery_codes_left: left,
  }
}

/** Returns how many recovery codes an account has not used. */
export async function recoveryCodesLeft(db: Db, accountId: number): Promise<number> {
  return countRows(db('staff_recovery_codes').where('account_id', accountId).whereNull('used_at'))
}

/** Stores the secret of an app that is being set up, in place of an earlier one. Returns false when an app is on already. */
export async function beginTotp(db: Db, key: Buffer, accountId: number, secret: string): Promise<boolean> {
  const sealed = { sealed_secret: seal(key, secret, contextOf(accountId)), created_at: db.fn.now() }
  const rows = await db('staff_totp')
    .insert({ account_id: accountId, ...sealed })
    .onConflict('account_id')
    .merge(sealed)
    .whereNull('staff_totp.confirmed_at')
    .returning('account_id')
  return rows.length > 0
}

/** Turns on an app that is being set up, by its first code. Returns false when the code is wrong or there is no such app. */
export async function confirmTotp(trx: Transaction, key: Buffer, accountId: number, code: string): Promise<boolean> {
  return takeCode(trx, key, accountId, code, { isOn: false })
}

/** Uses up a code of an account's app. Returns false when it is wrong or used. */
export async function takeTotpCode(db: Db, key: Buffer, accountId: number, code: string): Promise<boolean> {
  return takeCode(db, key, accountId, code, { isOn: true })
}

async function takeCode(db: Db, key: Buffer, accountId: number, code: string, { isOn }: { isOn: boolean }) {
  const totp = () =>
    db('staff_totp')
      .where('account_id', accountId)
      .whereRaw(`confirmed_at is ${isOn ? 'not null' : 'null'}`)
  const row = await totp().first('sealed_secret', 'last_step')
  if (!row) return false
  const secret = unseal(key, row.sealed_secret, contextOf(accountId))
  const step = stepOfCode(secret, code, Date.now(), row.last_step === null ? null : Number(row.last_step))
  if (step === null) return false
  // Of two parallel calls with the same code, the second one finds the step taken.
  const taken = await totp()
    .where((unused) => unused.whereNull('last_step').orWhere('last_step', '<', step))
    .update({ last_step: step, ...(!isOn && { confirmed_at: db.fn.now() }) })
  return taken > 0
}

/** Turns the app of an account off. Returns whether it was on. */
export async function removeTotp(trx: Transaction, accountId: number): Promise<boolean> {
  const [row] = await trx('staff_totp').where('account_id', accountId).delete().returning('confirmed_at')
  return Boolean(row?.confirmed_at)
}

/** A stored passkey. `id` is that of the credential. */
export type Credential = { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: number; transports: string[] }

/** Returns the credentials of an account, by which a browser finds its passkeys. */
export async function credentials(db: Db, accountId: number): Promise<Pick<Credential, 'id' | 'transports'>[]> {
  return db('staff_passkeys').where('account_id', accountId).select('credential_id as id', 'transports')
}

/** Finds a passkey and its account. Returns null without one, or when the account is disabled or has no password. */
export async function findCredential(
  db: Db,
  credentialId: string,
): Promise<{ accountId: number; email: string; credential: Credential } | null> {
  const row = await db('staff_passkeys')
    .join('staff_accounts', 'staff_accounts.id', 'account_id')
    .where('credential_id', credentialId)
    .whereNull('disabled_at')
    .whereNotNull('password_hash')
    .first<
      RowWith<'staff_passkeys', 'account_id' | 'public_key' | 'counter' | 'transports', { email: string }> | undefined
    >('account_id', 'email', 'public_key', 'counter', 'transports')
  if (!row) return null
  const { account_id: accountId, email, public_key, counter, transports } = row
  const credential = { id: credentialId, publicKey: new Uint8Array(public_key), counter: Number(counter), transports }
  return { accountId, email, credential }
}

/** Adds a passkey. Returns false when it exists. */
export async function addPasskey(
  trx: Transaction,
  accountId: number,
  name: string,
  { id, publicKey, counter, transports }: Credential,
): Promise<boolean> {
  const rows = await trx('staff_passkeys')
    .insert({
      account_id: accountId,
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports,
      name,
    })
    .onConflict('credential_id')
    .ignore()
    .returning('id')
  return rows.length > 0
}

/**
 * Records a use of a passkey. Returns false when its counter has not grown, which reveals a copy. Passkeys that are
 * synced between devices do not count and stay at 0 (WebAuthn, 6.1.1).
 */
export async function countPasskeyUse(db: Db, credentialId: string, counter: number): Promise<boolean> {
  const used = await db('staff_passkeys')
    .where('credential_id', credentialId)
    .whereRaw('(counter < :counter or (counter = 0 and :counter = 0))', { counter })
    .update({ counter, last_used_at: db.fn.now() })
  return used > 0
}

/** Removes a passkey of an account. Returns its name, or null when there is none. */
export async function removePasskey(trx: Transaction, accountId: number, id: number): Promise<string | null> {
  const [row] = await trx('staff_passkeys').where({ id, account_id: accountId }).delete().returning('name')
  return row?.name ?? null
}

/** Replaces the recovery codes of an account. Returns the codes; the database has only their hashes. */
export async function renewRecoveryCodes(trx: Transaction, key: Buffer, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(randomBytes))
  await removeRecoveryCodes(trx, accountId)
  await trx('staff_recovery_codes').insert(
    codes.map((code) => ({ account_id: accountId, code_hash: hashOf(key, accountId, code) })),
  )
  return codes
}

/** Uses up a recovery code of an account. Returns false when it is wrong or used. */
export async function takeRecoveryCode(db: Db, key: Buffer, accountId: number, code: string): Promise<boolean> {
  const used = await db('staff_recovery_codes')
    .where({ account_id: accountId, code_hash: hashOf(key, accountId, code) })
    .whereNull('used_at')
    .update({ used_at: db.fn.now() })
  return used > 0
}

/** Removes the recovery codes of an account. */
export async function removeRecoveryCodes(trx: Transaction, accountId: number): Promise<void> {
  await trx('staff_recovery_codes').where('account_id', accountId).delete()
}

/** Removes all second factors of an account. */
export async function removeAll(trx: Transaction, accountId: number): Promise<void> {
  await trx('staff_totp').where('account_id', accountId).delete()
  await trx('staff_passkeys').where('account_id', accountId).delete()
  await removeRecoveryCodes(trx, accountId)
}

/** Returns whether any account has a passkey to sign in with. */
export async function hasPasskeys(db: Db): Promise<boolean> {
  return (await db('staff_passkeys').first('id')) !== undefined
}

const contextOf = (accountId: number) => `totp of account ${accountId}`

const hashOf = (key: Buffer, accountId: number, code: string) =>
  keyedHash(key, `recovery code of account ${accountId}: ${plainRecoveryCode(code)}`)

const PASSKEY = ['id', 'name', 'created_at', 'last_used_at'] as const

type PasskeyRow = Pick<Passkey, 'id' | 'name'> & { created_at: Date; last_used_at: Date | null }

function presentPasskey({ created_at, last_used_at, ...row }: PasskeyRow): Passkey {
  return { ...row, created_at: created_at.toISOString(), last_used_at: last_used_at?.toISOString() ?? null }
}
