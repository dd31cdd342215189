import type { NewStaff, StaffAccount, StaffUpdate } from '../contract/staff.ts'
import type { Db, Transaction } from '../db.ts'
import { AppError } from '../errors.ts'
import { DAY } from '../time.ts'

/** How long a password that somebody else has made is good for choosing one's own, in milliseconds. */
export const INVITATION_LIFETIME = 7 * DAY

/** What a sign-in is checked against. */
export type Credentials = { id: number; email: string; passwordHash: string; isUsable: boolean }

/** A hash, and whether its owner has chosen the password or was given it. */
export type NewPassword = { passwordHash: string; isInvitation: boolean }

/** Every account: those that are enabled first, by name. */
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

/** `isUsable` is false for a disabled account, and for an invitation that has run out. */
export async function findCredentials(db: Db, email: string): Promise<Credentials | null> {
  const row = await byEmail(db, email).first(
    'id',
    'email',
    'password_hash',
    db.raw('disabled_at is null and coalesce(password_expires_at > now(), true) as is_usable'),
  )
  return row ? { id: row.id, email: row.email, passwordHash: row.password_hash, isUsable: row.is_usable } : null
}

/** Locks accounts until the transaction ends, always in one order. @throws AppError `not_found` if one is missing */
export async function lock(trx: Transaction, ids: number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const rows = await trx('staff_accounts').whereIn('id', wanted).orderBy('id').forUpdate().select('id')
  if (rows.length < wanted.length) throw notFound()
}

/** @throws AppError `conflict` when the e-mail has an account */
export async function add(trx: Transaction, { name, email, role }: NewStaff, password: NewPassword): Promise<number> {
  const [row] = await trx('staff_accounts')
    .insert({ name, email, role, ...passwordColumns(trx, password) })
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

export async function setPassword(trx: Transaction, id: number, password: NewPassword): Promise<void> {
  await trx('staff_accounts').where({ id }).update(passwordColumns(trx, password))
}

function passwordColumns(trx: Transaction, { passwordHash, isInvitation }: NewPassword) {
  return {
    password_hash: passwordHash,
    password_expires_at: isInvitation ? trx.raw(`now() + ? * interval '1 ms'`, [INVITATION_LIFETIME]) : null,
  }
}

function byEmail(db: Db, email: string) {
  return db('staff_accounts').whereRaw('lower(email) = lower(?)', [email])
}

function query(db: Db) {
  const sessions = db('staff_sessions').where('account_id', db.ref('staff_accounts.id'))
  return db('staff_accounts').select(
    'id',
    'name',
    'email',
    'role',
    'created_at',
    'disabled_at',
    db.raw('password_expires_at is not null as must_change_password'),
    sessions.clone().max('last_seen_at').as('last_seen_at'),
    sessions.clone().where('expires_at', '>', db.fn.now()).select(db.raw('count(*)::integer')).as('open_sessions'),
  )
}

type AccountRow = Omit<StaffAccount, 'created_at' | 'disabled_at' | 'last_seen_at'> & {
  created_at: Date
  disabled_at: Date | null
  last_seen_at: Date | null
}

function present(row: AccountRow): StaffAccount {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    disabled_at: row.disabled_at?.toISOString() ?? null,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
  }
}
