import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import type { NewStaff, StaffAccount, StaffLink, StaffRole, StaffUpdate } from '../contract/staff.ts'
import { FACTORS_OF_ACCOUNT } from './staff-factors.ts'
import { LINK_OF_ACCOUNT } from './staff-links.ts'

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
  const row = await byEmail(db, email).first(
    ...(['id', 'name', 'email', 'role', 'password_hash'] as const),
    'disabled_at',
  )
  if (!row) return null
  const { password_hash: passwordHash, disabled_at, ...account } = row
  return { ...account, passwordHash, isEnabled: disabled_at === null }
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

/** The account that an e-mail goes to. */
export type Recipient = Pick<StaffAccount, 'id' | 'name' | 'email' | 'disabled_at'>

export async function findRecipient(db: Db, id: number): Promise<Recipient | null> {
  return (await db('staff_accounts').where({ id }).first('id', 'name', 'email', 'disabled_at')) ?? null
}

/** Locks an account until the transaction ends. Returns null when there is none. */
export async function lockRow(trx: Transaction, id: number): Promise<Recipient | null> {
  return (await trx('staff_accounts').where({ id }).forUpdate().first('id', 'name', 'email', 'disabled_at')) ?? null
}

/** Locks accounts until the transaction ends, always in one order. @throws AppError `not_found` if one is missing */
export async function lock(trx: Transaction, ids: number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const rows = await trx('staff_accounts').whereIn('id', wanted).orderBy('id').forUpdate().select('id')
  if (rows.length < wanted.length) throw notFound()
}

/** Adds an account, without a password if none is given. @throws AppError `conflict` when the e-mail has an account */
export async function add(
  trx: Transaction,
  { name, email, role }: NewStaff,
  passwordHash: string | null,
): Promise<number> {
  const [row] = await trx('staff_accounts')
    .insert({ name, email, role, password_hash: passwordHash })
    .onConflict(trx.raw('(lower(email))'))
    .ignore()
    .returning('id')
  if (!row)
    throw new AppError('conflict', 'There is already an account with this e-mail.', {
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
    db.raw(FACTORS_OF_ACCOUNT),
    db.raw('(select max(last_seen_at) from staff_sessions where account_id = staff_accounts.id) as last_seen_at'),
    db.raw(`(select count(*)::integer from staff_sessions
      where account_id = staff_accounts.id and least(expires_at, idle_ends_at) > now()) as open_sessions`),
  )
}

const COLUMNS = ['id', 'name', 'email', 'role', 'created_at', 'disabled_at'] as const
type AccountRow = RowWith<
  'staff_accounts',
  (typeof COLUMNS)[number],
  Pick<StaffAccount, 'has_password' | 'link' | 'factors' | 'open_sessions'> & { last_seen_at: Date | null }
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
