import * as jobs from '../../deliveries/stores/jobs.ts'
import { countRows, type Db, type Transaction } from '../../platform/db.ts'
import { DAY } from '../../time.ts'
import type { DeletedLeads, DeletedLeadsQuery } from '../contract/deleted-leads.ts'
import { REPEAT_WINDOW } from '../rules/duplicates.ts'

/*
 * A deleted lead keeps its row in `all_leads`. `leads` is a view without the deleted ones: a query that does not think of them
 * cannot find, lock or change them, and PostgreSQL writes through the view. A column that all queries had to mind would be
 * forgotten by the next one.
 */

/**
 * Marks a lead as deleted and cancels its waiting jobs at the same moment, by which `restore` knows them. A repeat of its form
 * is a new lead from now on. The caller holds the lock of the lead.
 */
export async function setAside(trx: Transaction, id: number): Promise<void> {
  await trx('leads').where({ id }).update({ deleted_at: trx.fn.now(), repeat_window: 'empty' })
  await trx('jobs').where({ lead_id: id, state: 'waiting' }).update({ state: 'cancelled', finished_at: trx.fn.now() })
}

/** Locks a lead until the transaction ends, also a deleted one. Returns undefined when there is none. */
export async function lock(trx: Transaction, id: number): Promise<{ deleted_at: Date | null } | undefined> {
  return trx('all_leads').where({ id }).forNoKeyUpdate().first('deleted_at')
}

/**
 * Lists one page of the leads that can be restored, the newest deletion first. `days` is how long a deleted lead is kept.
 */
export async function list(db: Db, { page, limit }: DeletedLeadsQuery, days: number): Promise<DeletedLeads> {
  // The others wait for the night in which they are deleted for good.
  const deleted = () => db('all_leads').whereRaw(`deleted_at > now() - ? * interval '24 hours'`, [days])
  const [rows, total] = await Promise.all([
    deleted()
      .select('id', 'first_name', 'last_name', 'email', 'phone', 'zip_code', 'created_at', 'deleted_at')
      .orderByRaw('deleted_at desc, id desc')
      .limit(limit)
      .offset((page - 1) * limit),
    countRows(deleted()),
  ])
  const leads = rows.map(({ created_at, deleted_at, ...lead }) => ({
    ...lead,
    created_at: created_at.toISOString(),
    deleted_at: new Date(Number(deleted_at)).toISOString(),
    purged_at: new Date(Number(deleted_at) + days * DAY).toISOString(),
  }))
  return { leads, total }
}

/**
 * Restores a lead and its open jobs. If its person has sent another form by now, that form keeps the idempotency key and
 * the window against repeats.
 * @returns false when the lead is not among the deleted ones
 */
export async function restore(trx: Transaction, id: number): Promise<boolean> {
  if (!(await lock(trx, id))?.deleted_at) return false
  const parked: string[] = await trx('jobs')
    .where({ lead_id: id, state: 'cancelled' })
    .where('finished_at', trx('all_leads').where({ id }).select('deleted_at'))
    .pluck('id')
  const window = trx.raw(`tstzrange(created_at, created_at + ? * interval '1 ms')`, [REPEAT_WINDOW])
  const putBack = (columns: { repeat_window: typeof window | 'empty'; idempotency_key?: null }) =>
    // A savepoint: the transaction goes on after a refusal.
    trx.transaction((inner) =>
      inner('all_leads')
        .where({ id })
        .update({ ...columns, deleted_at: null }),
    )
  await putBack({ repeat_window: window }).catch((error: { code?: string }) => {
    if (error.code !== EXCLUSION_VIOLATION && error.code !== UNIQUE_VIOLATION) throw error
    return putBack({ repeat_window: 'empty', idempotency_key: null })
  })
  await jobs.resume(trx, `lead:${id}`, parked)
  return true
}
const UNIQUE_VIOLATION = '23505'
const EXCLUSION_VIOLATION = '23P01'
