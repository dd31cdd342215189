import type { PurposeOf } from '../jobs/jobs.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { currentRequest } from '../platform/request-context.ts'
import { traceParent } from '../platform/trace.ts'
import { JOBS_CHANNEL, OPEN } from './jobs.ts'
import type { RowWith } from './table.ts'

/*
 * Purges are jobs of the ledger. `result` has their progress: `{ deleted: n }`. The ledger has the last run of each purge,
 * and the last failed one until a later run succeeds.
 */

/**
 * Adds the job of a purge, to be attempted now. Of any number of processes that do so at the same time, one adds it.
 * @returns its id, or null when the purge is already waiting or running
 */
export async function add(db: Db, purpose: PurposeOf<'purge'>): Promise<string | null> {
  return db.transaction(async (trx) => {
    const [added] = await trx('jobs')
      .insert({ name: 'purge', purpose, request_id: currentRequest()?.id ?? null, trace_parent: traceParent() })
      // The key `jobs_purge_key` allows one open job.
      .onConflict()
      .ignore()
      .returning('id')
    if (!added) return null
    await removeSettled(trx, purpose, { keepsFailure: true })
    await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
    return added.id
  })
}

/**
 * Adds to the number of deleted rows of a run, in the transaction that deletes them. Also a sign of life: a long run is
 * neither late nor lost by the queue as long as it makes progress.
 * @returns the new number, or null when the run has ended
 */
export async function advance(trx: Transaction, id: string, deleted: number): Promise<number | null> {
  const sum = trx.raw(`coalesce((result->>'deleted')::integer, 0) + ?`, [deleted])
  const [row] = await trx('jobs')
    .where({ id })
    .whereIn('state', OPEN)
    .update({
      result: trx.raw(`jsonb_build_object('deleted', ?)`, [sum]),
      next_attempt_at: trx.fn.now(),
      enqueued_at: trx.fn.now(),
    })
    .returning('result')
  return row ? Number(row.result?.deleted) : null
}

/** Lists the last run of each purge, and the last failed ones. */
export async function list(db: Db): Promise<RowWith<'jobs', (typeof COLUMNS)[number]>[]> {
  return db('jobs')
    .where({ name: 'purge' })
    .orderBy(['purpose', 'created_at'])
    .select(...COLUMNS)
}
const COLUMNS = ['id', 'purpose', 'state', 'result', 'created_at', 'finished_at', 'last_error'] as const

/** Deletes the settled runs of a purge with their attempts: all of them, or all but the last failed one. */
export async function removeSettled(
  trx: Transaction,
  purpose: PurposeOf<'purge'>,
  { keepsFailure }: { keepsFailure: boolean },
): Promise<void> {
  const runs = () => trx('jobs').where({ name: 'purge', purpose })
  const gone = runs().whereNotNull('finished_at')
  if (keepsFailure) {
    const lastFailure = runs().where({ state: 'failed' }).orderBy('finished_at', 'desc').limit(1).select('id')
    gone.whereNotIn('id', lastFailure)
  }
  const ids: string[] = (await gone.delete().returning('id')).map(({ id }) => id)
  await trx('job_attempts').whereIn('job_id', ids).delete()
}
