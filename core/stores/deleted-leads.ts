import { UNDO_SECONDS } from '../contract/undo.ts'
import type { Db, Transaction } from '../db.ts'
import { jobsForPurgedLead } from '../rules/deliveries.ts'
import { SECOND } from '../time.ts'
import * as auditLog from './audit-log.ts'
import * as jobs from './jobs.ts'

/** How long, in milliseconds, a deletion can be taken back: longer than promised, for a click at the last moment. */
export const GRACE = UNDO_SECONDS * SECOND + 20 * SECOND

const PURGED_AT_ONCE = 200
const IS_OVER = `deleted_at <= now() - ${GRACE} * interval '1 ms'`

/**
 * Takes a lead out of the table of leads, and so out of every list and every delivery, and keeps it whole until it is
 * purged. Its jobs stay as they are: without the lead nothing is done for them. The caller holds the lead's lock.
 */
export async function setAside(trx: Transaction, id: number): Promise<void> {
  await trx.raw(
    `with gone as (delete from leads where id = ? returning *)
     insert into deleted_leads (id, lead) select id, to_jsonb(gone) from gone`,
    [id],
  )
}

/** Locks a lead that was set aside until the transaction ends. False when there is none. */
export async function lock(trx: Transaction, id: number): Promise<boolean> {
  return (await trx('deleted_leads').where({ id }).forUpdate().first('id')) !== undefined
}

/**
 * Brings a lead back as it was, and goes on with what was still to be done for it. If its person has sent another form
 * by now, that one keeps the idempotency key and the window against repeats.
 * @returns false when there is nothing to bring back any more
 */
export async function restore(trx: Transaction, id: number): Promise<boolean> {
  const row = await trx('deleted_leads').where({ id }).whereRaw(`not (${IS_OVER})`).forUpdate().first('lead')
  if (!row) return false

  if (!(await insert(trx, row.lead))) {
    await insert(trx, { ...row.lead, idempotency_key: null, repeat_window: 'empty' })
  }
  await trx('deleted_leads').where({ id }).delete()
  await jobs.resume(trx, { leadId: id })
  return true
}

/**
 * Deletes for good, with their jobs, the leads whose deletion cannot be taken back any more. A CRM that may know them is
 * told. Returns how many.
 */
export async function purge(db: Db): Promise<number> {
  return db.transaction(async (trx) => {
    const ids: number[] = await trx('deleted_leads')
      .whereRaw(IS_OVER)
      .limit(PURGED_AT_ONCE)
      .forUpdate()
      .skipLocked()
      .pluck('id')
    for (const id of ids) {
      const owed = jobsForPurgedLead({ knownToCrm: await jobs.isKnownToCrm(trx, { leadId: id }) })
      await jobs.remove(trx, { leadId: id })
      await jobs.add(trx, { leadId: id }, owed)
      await auditLog.record(trx, { actor: 'system', action: 'purge', entity: 'lead', entityId: id })
    }
    await trx('deleted_leads').whereIn('id', ids).delete()
    return ids.length
  })
}

/** False when another lead of the same person, or with the same key, is in the way. */
async function insert(trx: Transaction, lead: Record<string, unknown>): Promise<boolean> {
  // What the database computes by itself cannot be written.
  const columns: string[] = await trx('information_schema.columns')
    .where({ table_schema: 'public', table_name: 'leads', is_generated: 'NEVER' })
    .pluck('column_name')
  const { rowCount } = await trx.raw(
    `insert into leads (${columns.map(() => '??')}) overriding system value
     select ${columns.map(() => '??')} from jsonb_populate_record(null::leads, ?)
     on conflict do nothing`,
    [...columns, ...columns, JSON.stringify(lead)],
  )
  return rowCount > 0
}
