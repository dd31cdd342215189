import type { DeletedLead, DeletedLeads, DeletedLeadsQuery } from '../contract/deleted-leads.ts'
import { AFTER_DELETION } from '../contract/jobs.ts'
import { countRows, type Db, type Transaction } from '../platform/db.ts'
import { DAY } from '../time.ts'
import * as jobs from './jobs.ts'
import type { RowWith } from './table.ts'

/**
 * Moves a lead out of the table of leads, and so out of every list and delivery, and keeps it whole until it is purged.
 * Parks its waiting jobs. The caller holds the lock of the lead.
 */
export async function setAside(trx: Transaction, id: number): Promise<void> {
  await trx.raw(
    `with gone as (delete from leads where id = ? returning *)
     insert into deleted_leads (id, lead) select id, to_jsonb(gone) from gone`,
    [id],
  )
  await parkJobs(trx, [id])
}

/**
 * Cancels the waiting jobs of deleted leads, and records them with the lead, so that they are reopened if it is restored.
 * The schedule parks a job that a running attempt puts off later. Skips a lead that is being restored, because its jobs
 * would never be reopened.
 */
export async function parkJobs(trx: Transaction, ids: number[]): Promise<void> {
  await trx.raw(
    `with deleted as (
       select id from deleted_leads where id = any(?) order by id for update
     ),
     parked as (
       update jobs set state = 'cancelled', finished_at = now()
       from deleted
       where lead_id = deleted.id and state = 'waiting' and purpose <> all(?)
       returning jobs.id, lead_id
     )
     update deleted_leads set parked_jobs = parked_jobs || parked.ids
     from (select lead_id, array_agg(id) as ids from parked group by lead_id) parked
     where deleted_leads.id = parked.lead_id`,
    [ids, AFTER_DELETION],
  )
}

/** Locks a deleted lead until the transaction ends. Returns false when there is none. */
export async function lock(trx: Transaction, id: number): Promise<boolean> {
  return (await trx('deleted_leads').where({ id }).forUpdate().first('id')) !== undefined
}

/**
 * Lists one page of the leads that can be restored, the newest deletion first. `days` is how long a deleted lead is kept.
 */
export async function list(db: Db, { page, limit }: DeletedLeadsQuery, days: number): Promise<DeletedLeads> {
  const [rows, total] = await Promise.all([
    db('deleted_leads')
      .select('id', 'lead', 'deleted_at')
      .orderBy([
        { column: 'deleted_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit)
      .offset((page - 1) * limit),
    countRows(db('deleted_leads')),
  ])
  return { leads: rows.map((row) => present(row, days)), total }
}

function present({ lead, deleted_at }: RowWith<'deleted_leads', 'lead' | 'deleted_at'>, days: number): DeletedLead {
  const { id, first_name, last_name, email, phone, zip_code, created_at } = lead
  return {
    ...{ id, first_name, last_name, email, phone, zip_code },
    created_at: new Date(created_at).toISOString(),
    deleted_at: deleted_at.toISOString(),
    purged_at: new Date(deleted_at.getTime() + days * DAY).toISOString(),
  }
}

/**
 * Restores a lead and its open jobs. If its person has sent another form by now, that form keeps the idempotency key and
 * the window against repeats.
 * @returns false when the lead is not among the deleted ones
 */
export async function restore(trx: Transaction, id: number): Promise<boolean> {
  const row = await trx('deleted_leads').where({ id }).forUpdate().first('lead', 'parked_jobs')
  if (!row) return false

  if (!(await insert(trx, row.lead))) {
    await insert(trx, { ...row.lead, idempotency_key: null, repeat_window: 'empty' })
  }
  await trx('deleted_leads').where({ id }).delete()
  await jobs.resume(trx, { leadId: id }, row.parked_jobs)
  return true
}

/** Inserts a lead. Returns false when another lead of the same person or with the same key exists. */
async function insert(trx: Transaction, lead: Record<string, unknown>): Promise<boolean> {
  // Generated columns cannot be written.
  const columns: string[] = await trx('information_schema.columns')
    .where({ table_schema: 'public', table_name: 'leads', is_generated: 'NEVER' })
    .pluck('column_name')
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into leads (${columns.map(() => '??')}) overriding system value
     select ${columns.map(() => '??')} from jsonb_populate_record(null::leads, ?)
     on conflict do nothing`,
    [...columns, ...columns, JSON.stringify(lead)],
  )
  return rowCount > 0
}
