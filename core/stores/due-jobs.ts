import type { LedgerJob } from '../contract/jobs.ts'
import type { Db, Transaction } from '../platform/db.ts'

/** A job, for the relay. `traceParent` is its trace, if it has one (W3C Trace Context). */
export type DueJob = Pick<LedgerJob, 'id' | 'name' | 'attempts'> & { traceParent: string | null }

/** Locks up to `limit` due jobs until the transaction ends, the oldest first. Skips those that another relay holds. */
export async function lockDue(trx: Transaction, limit: number): Promise<DueJob[]> {
  return trx('jobs')
    .select('id', 'name', 'attempts', 'trace_parent as traceParent')
    .where('state', 'waiting')
    .where('next_attempt_at', '<=', trx.fn.now())
    .orderBy('next_attempt_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
}

/** Records that the queue has these jobs. */
export async function markEnqueued(trx: Transaction, ids: string[]): Promise<void> {
  await trx('jobs').whereIn('id', ids).update({ state: 'enqueued', enqueued_at: trx.fn.now() })
}

/**
 * Hands jobs back to the relay that were enqueued more than `olderThan` milliseconds ago and are not settled: the queue
 * may have lost them. A job that the queue still has is not run twice, because the relay adds it under the same id.
 * @returns the number of jobs
 */
export async function sweep(db: Db, olderThan: number): Promise<number> {
  return db('jobs')
    .where('state', 'enqueued')
    .whereRaw(`enqueued_at < now() - ? * interval '1 millisecond'`, [olderThan])
    .update({ state: 'waiting' })
}
