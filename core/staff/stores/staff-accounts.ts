import { randomBytes } from 'node:crypto'
import { HOUR } from '../../contract/time.ts'
import { AppError } from '../../errors.ts'
import { hashToken, keyedHash, newToken, seal, unseal } from '../../platform/data-key.ts'
import { countRows, type Db, type Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import type {
  LinkAnswer,
  NewStaff,
  SecondFactor,
  StaffAccount,
  StaffLink,
  StaffRole,
  StaffUpdate,
} from '../contract/staff.ts'
import { newRecoveryCode, plainRecoveryCode, stepOfCode } from '../rules/second-factor.ts'

export type LinkKind = StaffLink['kind']

/** The lifetime of a link after it was sent, in milliseconds. */
export const LINK_LIFETIME: Record<LinkKind, number> = { invitation: 72 * HOUR, reset: HOUR }

/** A valid link. The database has only the hash of its token. */
export type MadeLink = { token: string; expiresAt: string; requestedBy: string }

/**
 * Requests a link, which ends the one before. The caller holds the lock of the account, and adds the job that sends the
 * link.
 */
export async function request(trx: Transaction, accountId: number, kind: LinkKind, requestedBy: string): Promise<void> {
  const link = { purpose: kind, requested_by: requestedBy }
  await trx('one_time_tokens')
    .insert({ ...link, account_id: accountId })
    .onConflict('account_id')
    .merge({ ...link, requested_at: trx.fn.now(), token_hash: null, expires_at: null })
}

/**
 * Makes the token of a requested link. A second attempt to send the email makes another token, which ends the first.
 * Returns null without such a link, or when it was requested again after the job was made.
 * @param jobId the job that sends the link, if one does
 */
export async function makeToken(
  db: Db,
  accountId: number,
  kind: LinkKind,
  jobId: string | null = null,
): Promise<MadeLink | null> {
  const token = newToken()
  const wanted = db('one_time_tokens').where({ account_id: accountId, purpose: kind })
  if (jobId) wanted.where('requested_at', '<=', db('jobs').select('created_at').where({ id: jobId }))
  const [row] = await wanted
    .update({
      token_hash: hashToken(token),
      expires_at: db.raw(`now() + ? * interval '1 ms'`, [LINK_LIFETIME[kind]]),
    })
    .returning(['expires_at', 'requested_by'])
  if (!row?.expires_at || row.requested_by === null) return null
  return { token, expiresAt: row.expires_at.toISOString(), requestedBy: row.requested_by }
}

export async function find(db: Db, token: string): Promise<(LinkAnswer & { accountId: number }) | null> {
  const row = await db('one_time_tokens')
    .join('staff_accounts', 'staff_accounts.id', 'account_id')
    .where('token_hash', hashToken(token))
    .where('expires_at', '>', db.fn.now())
    .whereNull('disabled_at')
    .first<LinkRow | undefined>('account_id', 'purpose as kind', 'name', 'staff_accounts.email', 'expires_at')
  if (!row) return null
  const { account_id: accountId, expires_at, ...owner } = row
  return { accountId, ...owner, expires_at: expires_at.toISOString() }
}

type LinkRow = RowWith<'staff_accounts', 'name' | 'email', { account_id: number; kind: LinkKind; expires_at: Date }>

/** Ends the link of an account. Returns whether there was one. The caller holds the lock of the account. */
export async function end(trx: Transaction, accountId: number): Promise<boolean> {
  return (await trx('one_time_tokens').where('account_id', accountId).delete()) > 0
}

/** SQL for the link of a row of `staff_accounts` as `StaffLink`, or null. */
const LINK_OF_ACCOUNT = `(
  select jsonb_build_object('kind', link.purpose, 'error', job.error, 'expires_at', expires_at, 'state', case
    when job.state in ('waiting', 'enqueued') then case when job.attempts > 0 then 'retrying' else 'sending' end
    when job.state = 'failed' then 'failed'
    when expires_at > now() then 'sent'
    else 'expired'
  end)
  from one_time_tokens link
  left join lateral (
    select state, attempts, case when state in ('waiting', 'failed') then last_error end as error from jobs
    where subject_kind = 'account' and subject_id = staff_accounts.id and name = 'send-email' and purpose = link.purpose
      and created_at >= requested_at
    order by generation desc limit 1
  ) job on true
  where link.account_id = staff_accounts.id
) as link`

/** The account that a sign-in is checked against. */
export type Credentials = {
  id: number
  name: string
  email: string
  role: StaffRole
  /** Null until the owner has chosen a password. */
  passwordHash: string | null
  isEnabled: boolean
}

/** Lists all accounts, the enabled ones first, by name. */
export async function list(db: Db): Promise<StaffAccount[]> {
  const rows = await query(db).orderByRaw('disabled_at is not null, lower(name), id')
  return rows.map(present)
}

/** @throws AppError `not_found` */
export async function get(db: Db, id: number): Promise<StaffAccount> {
  const row = await query(db).where('id', id).first()
  if (!row) throw notFound()
  return present(row)
}

/** @throws AppError `not_found` */
export async function idOf(db: Db, email: string): Promise<number> {
  const row = await byEmail(db, email).first('id')
  if (!row) throw notFound()
  return row.id
}

const notFound = () => new AppError('not_found', 'There is no such account.')

export async function findCredentials(db: Db, email: string): Promise<Credentials | null> {
  const row = await byEmail(db, email).first('id', 'name', 'email', 'role', 'password_hash', 'disabled_at')
  if (!row) return null
  const { password_hash: passwordHash, disabled_at, ...account } = row
  return { ...account, passwordHash, isEnabled: disabled_at === null }
}

/** Finds and locks the enabled account of an email whose owner has or had a password. */
export async function lockForReset(trx: Transaction, email: string): Promise<Pick<Credentials, 'id' | 'email'> | null> {
  const account = await byEmail(trx, email)
    .whereNull('disabled_at')
    .whereRaw(`(password_hash is not null or exists (
      select from one_time_tokens where account_id = staff_accounts.id and purpose = 'reset'))`)
    .forUpdate()
    .first('id', 'email')
  return account ?? null
}

/** Returns whether an enabled account with a password exists, of this role or of any. */
export async function canSignIn(db: Db, role?: 'manager'): Promise<boolean> {
  const found = await db('staff_accounts')
    .whereNull('disabled_at')
    .whereNotNull('password_hash')
    .modify((accounts) => role && accounts.where({ role }))
    .first('id')
  return found !== undefined
}

/** The account that an email goes to. */
export type Recipient = RowWith<'staff_accounts', 'id' | 'name' | 'email' | 'disabled_at'>

const recipient = (db: Db, id: number) => db('staff_accounts').where({ id }).first('id', 'name', 'email', 'disabled_at')

export const findRecipient = async (db: Db, id: number): Promise<Recipient | null> => (await recipient(db, id)) ?? null

/** Locks an account until the transaction ends. Returns null when there is none. */
export const lockRow = async (trx: Transaction, id: number): Promise<Recipient | null> =>
  (await recipient(trx, id).forUpdate()) ?? null

/** Locks accounts until the transaction ends, always in one order. @throws AppError `not_found` if one is missing */
export async function lock(trx: Transaction, ids: number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const rows = await trx('staff_accounts').whereIn('id', wanted).orderBy('id').forUpdate().select('id')
  if (rows.length < wanted.length) throw notFound()
}

/** Adds an account without a password. @throws AppError `conflict` when the email has an account */
export async function add(trx: Transaction, staff: NewStaff): Promise<number> {
  const [row] = await trx('staff_accounts').insert(staff).onConflict(trx.raw('(lower(email))')).ignore().returning('id')
  if (!row)
    throw new AppError('conflict', 'There is already an account with this email.', {
      fields: { email: 'Already has an account' },
    })
  return row.id
}

export async function change(trx: Transaction, id: number, { name, role, disabled }: StaffUpdate): Promise<void> {
  await trx('staff_accounts')
    .where({ id })
    .update({
      name: name ?? trx.ref('name'),
      role: role ?? trx.ref('role'),
      ...(disabled !== undefined && { disabled_at: disabled ? trx.fn.now() : null }),
    })
}

/** Sets the password of an account. With null it has none until its owner chooses one. */
export async function setPassword(trx: Transaction, id: number, passwordHash: string | null): Promise<void> {
  await trx('staff_accounts').where({ id }).update({ password_hash: passwordHash })
}

/** Replaces a hash of the same password. Returns false if another password was set meanwhile. */
export async function renewHash(db: Db, id: number, from: string, to: string): Promise<boolean> {
  return (await db('staff_accounts').where({ id, password_hash: from }).update({ password_hash: to })) > 0
}

function byEmail(db: Db, email: string) {
  return db('staff_accounts').whereRaw('lower(email) = lower(?)', [email])
}

function query(db: Db) {
  return db('staff_accounts').select<AccountRow[]>(
    ...COLUMNS,
    db.raw('password_hash is not null as has_password'),
    db.raw(LINK_OF_ACCOUNT),
    db.raw(TWO_STEP),
    db.raw('(select max(last_seen_at) from staff_sessions where account_id = staff_accounts.id) as last_seen_at'),
    db.raw(`(select count(*)::integer from staff_sessions
      where account_id = staff_accounts.id and least(expires_at, idle_ends_at) > now()) as open_sessions`),
  )
}

const COLUMNS = ['id', 'name', 'email', 'role', 'created_at', 'disabled_at'] as const
type AccountRow = RowWith<
  'staff_accounts',
  (typeof COLUMNS)[number],
  Pick<StaffAccount, 'has_password' | 'link' | 'two_step' | 'open_sessions'> & { last_seen_at: Date | null }
>

function present(row: AccountRow): StaffAccount {
  return {
    ...row,
    link: presentLink(row.link),
    created_at: row.created_at.toISOString(),
    disabled_at: row.disabled_at?.toISOString() ?? null,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
  }
}

/** Returns a link with its time in UTC, because PostgreSQL writes times in JSON with an offset. */
function presentLink(link: StaffLink | null): StaffLink | null {
  return link && { ...link, expires_at: link.expires_at && new Date(link.expires_at).toISOString() }
}

/** Returns whether managers have switched the shared password off. */
export async function isSharedPasswordOff(db: Db): Promise<boolean> {
  return Boolean((await db('network').first('shared_password_off_at'))?.shared_password_off_at)
}

/*
 * The second factor of an account: an authenticator app, and recovery codes.
 */

export const TWO_STEP = `exists (select from staff_totp where account_id = staff_accounts.id) as two_step`

const RECOVERY_CODES = 10

const totpOf = (db: Db, accountId: number) => db('staff_totp').where('account_id', accountId)
const codesOf = (db: Db, accountId: number) => db('staff_recovery_codes').where('account_id', accountId)

export async function hasFactor(db: Db, accountId: number): Promise<boolean> {
  return (await totpOf(db, accountId).first('account_id')) !== undefined
}

export async function describeFactor(db: Db, accountId: number): Promise<Omit<SecondFactor, 'required'>> {
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
export async function removeFactors(trx: Transaction, accountId: number): Promise<boolean> {
  await codesOf(trx, accountId).delete()
  return (await totpOf(trx, accountId).delete()) > 0
}

const contextOf = (accountId: number) => `totp of account ${accountId}`

const hashOf = (key: Buffer, accountId: number, code: string) =>
  keyedHash(key, `recovery code of account ${accountId}: ${plainRecoveryCode(code)}`)
