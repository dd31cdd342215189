import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import type { LedgerJob } from '../contract/jobs.ts'
import { JOBS } from '../jobs.ts'
import { ANY_OPEN, HELD_KINDS, PROBES } from './sending-pauses.ts'

/** A job, for the relay. `traceParent` is its trace, if it has one (W3C Trace Context). */
export type DueJob = Pick<LedgerJob, 'id' | 'name' | 'attempts'> & { traceParent: string | null }

const KINDS = `'{${Object.keys(JOBS).join()}}'::text[]`

/**
 * Marks up to `limit` due jobs enqueued, and a probe besides, the oldest first, and returns them. Skips those that another relay
 * holds, and those whose sending is paused: during a pause each other kind is looked up by itself, so that a pass does not read
 * over what is held. The caller commits once the queue has them.
 */
export async function takeDue(trx: Transaction, limit: number): Promise<DueJob[]> {
  return queryRows<DueJob>(
    trx,
    `with taken as (
       update jobs set state = 'enqueued', enqueued_at = now()
       where id = any(array(
         select id from jobs where state = 'waiting' and next_attempt_at <= now() and not ${ANY_OPEN}
         order by next_attempt_at limit :limit for update skip locked
       ) || array(
         select due.id from unnest(${KINDS}) as kind (name) cross join lateral (
           select id, next_attempt_at from jobs where state = 'waiting' and jobs.name = kind.name and next_attempt_at <= now()
           order by next_attempt_at limit :limit for update skip locked
         ) due
         where ${ANY_OPEN} and kind.name <> all(${HELD_KINDS})
         order by due.next_attempt_at limit :limit
       ) || array(
         select id from jobs where ${ANY_OPEN} and id = any(${PROBES}) and state = 'waiting' and next_attempt_at <= now()
         for update skip locked
       ))
       returning id, name, attempts, trace_parent, next_attempt_at
     )
     select id, name, attempts, trace_parent as "traceParent" from taken order by next_attempt_at`,
    { limit },
    { name: 'take-due-jobs' },
  )
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
