import type { LeadView, LeadViewChange, NewLeadView } from '../contract/lead-views.ts'
import { type Db, only, queryRows, type Transaction } from '../platform/db.ts'
import type { RowWith } from './table.ts'

/** The account of a person; null for the shared password, whose users have their views in common. */
type OwnerId = number | null

const COLUMNS = ['id', 'name', 'query', 'owner_id', 'is_shared', 'is_pinned'] as const
type ViewRow = RowWith<'lead_views', (typeof COLUMNS)[number], { owner_name: string | null }>

/** Lists the views of a person, and those for all, by name. */
export async function list(db: Db, ownerId: OwnerId): Promise<LeadView[]> {
  const rows = await visible(db, ownerId).orderByRaw('folded(name), id')
  return rows.map((row) => present(row, ownerId))
}

/** Finds a view of a person or for all. */
export async function find(db: Db, id: number, ownerId: OwnerId): Promise<LeadView | null> {
  const row = await visible(db, ownerId).where({ id }).first()
  return row ? present(row, ownerId) : null
}

/** Makes changes of the views of a person wait for each other until the transaction ends. */
export async function lock(trx: Transaction, ownerId: OwnerId): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtext('lead_views'), ?)`, [ownerId ?? 0])
}

/** Does the same for the one who has saved a view, if there is such a view. */
export async function lockOwnerOf(trx: Transaction, id: number): Promise<void> {
  const row = await trx('lead_views').where({ id }).first('owner_id')
  if (row) await lock(trx, row.owner_id)
}

/** Counts the views that a person has saved. */
export async function count(db: Db, ownerId: OwnerId): Promise<number> {
  const rows = await queryRows<{ views: number }>(
    db,
    'select count(*)::integer as views from lead_views where owner_id is not distinct from ?::integer',
    [ownerId],
  )
  return only(rows).views
}

/** Stores a view and returns its id. Returns null when the person has one with this name. */
export async function add(trx: Transaction, ownerId: OwnerId, view: NewLeadView): Promise<number | null> {
  const rows = await trx('lead_views')
    .insert({ owner_id: ownerId, ...columnsOf(view) })
    .onConflict(trx.raw('(owner_id, lower(name))'))
    .ignore()
    .returning('id')
  return rows[0]?.id ?? null
}

/** Returns whether the owner of a view has another one with this name. */
export async function isNamed(db: Db, id: number, name: string): Promise<boolean> {
  const rows = await queryRows<{ found: boolean }>(
    db,
    `select exists (
       select from lead_views other join lead_views own on own.owner_id is not distinct from other.owner_id
       where own.id = ? and other.id <> own.id and lower(other.name) = lower(?)
     ) as found`,
    [id, name],
  )
  return only(rows).found
}

export async function change(trx: Transaction, id: number, view: NewLeadView): Promise<void> {
  await trx('lead_views').where({ id }).update(columnsOf(view))
}

export async function remove(trx: Transaction, id: number): Promise<void> {
  await trx('lead_views').where({ id }).delete()
}

export function columnsOf({ name, filter, sort, is_shared, is_pinned }: NewLeadView | Required<LeadViewChange>) {
  return { name, query: JSON.stringify({ filter, sort }), is_shared, is_pinned }
}

function visible(db: Db, ownerId: OwnerId) {
  return db('lead_views')
    .select<ViewRow[]>(
      ...COLUMNS,
      db.raw('(select staff_accounts.name from staff_accounts where staff_accounts.id = owner_id) as owner_name'),
    )
    .whereRaw('(is_shared or owner_id is not distinct from ?::integer)', [ownerId])
}

function present({ query, owner_id, ...row }: ViewRow, ownerId: OwnerId): LeadView {
  return { ...row, ...query, is_own: owner_id === ownerId }
}
