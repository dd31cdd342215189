import { OPEN, wakeRelay } from '../../deliveries/stores/jobs.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import { currentRequest } from '../../platform/request-context.ts'
import { traceParent } from '../../platform/trace.ts'
import type { Tables } from '../../tables/tables.ts'

/*
 * The purge is a job of the ledger, in which each run replaces the one before. `worker/retention.ts` says what it deletes.
 */

/** SQL for the last 3 a.m. in a time zone. */
const LAST_NIGHT = `(date_trunc('day', now() at time zone ? - interval '3 hours') + interval '3 hours') at time zone ?`

/** Adds the run of a night after 3 a.m., unless there is one. Returns whether it was added. */
export async function addNightly(db: Db, timeZone: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    const tonight = trx('jobs').where({ name: 'purge' }).whereRaw(`created_at >= ${LAST_NIGHT}`, [timeZone, timeZone])
    return (await tonight.first('id')) === undefined && (await add(trx)) !== null
  })
}

/** Adds a run, to be attempted now. Returns its id, or null while another one is open. */
export async function add(trx: Transaction): Promise<string | null> {
  const [added] = await trx('jobs')
    .insert({
      name: 'purge',
      purpose: 'nightly',
      request_id: currentRequest()?.id ?? null,
      trace_parent: traceParent(),
    })
    // The key `jobs_purge_key` allows one open job.
    .onConflict()
    .ignore()
    .returning('id')
  if (!added) return null
  await trx('jobs').where({ name: 'purge' }).whereNotNull('finished_at').delete()
  await wakeRelay(trx)
  return added.id
}

/**
 * Records a sign of life: a long run is neither late nor lost by the queue as long as it makes progress.
 * @returns false when the run has ended
 */
export async function isOpen(trx: Transaction, id: string): Promise<boolean> {
  const alive = { next_attempt_at: trx.fn.now(), enqueued_at: trx.fn.now() }
  return (await trx('jobs').where({ id }).whereIn('state', OPEN).update(alive)) > 0
}

/** Rows that are deleted in one transaction, at most. */
const BATCH = 5000

/** Returns what deletes a batch of the rows that meet an SQL condition, with the jobs that they name if `jobs`. */
export function rows(table: keyof Tables, where: string, { jobs = false } = {}): (db: Db) => Promise<number> {
  const old = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${BATCH}))`
  const sql = jobs
    ? `with gone as (${old} returning ${table === 'jobs' ? 'id as job_id' : 'job_id'}),
         attempt as (delete from job_attempts where job_id in (select job_id from gone)),
         job as (delete from jobs where id in (select job_id from gone))
       select from gone`
    : `${old} returning 1`
  return async (db) => (await queryRows(db, sql)).length
}

/** Returns what calls a function of the database that deletes a batch of rows, which only their owner may do, and counts them. */
export function call(sql: string): (db: Db) => Promise<number> {
  return async (db) => only(await queryRows<{ deleted: number }>(db, `select ${sql} as deleted`)).deleted
}
