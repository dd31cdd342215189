import { IS_NEWEST_ALERT } from '../../conditions/stores/alerts.ts'
import { FailureCause, JobName } from '../../deliveries/contract/jobs.ts'
import { IS_NEWEST } from '../../deliveries/stores/job-owner.ts'
import { freeSince, IS_HELD } from '../../deliveries/stores/sending-pauses.ts'
import { type Db, queryRows } from '../../platform/db.ts'

/** The present backlog of one kind of job. Ages are in seconds, 0 where nothing waits. */
export type Backlog = {
  name: JobName
  /** Due, and not yet handed to the queue. */
  waiting: number
  /** Not due before their next attempt, or before the end of a pause of sending. */
  retrying: number
  /** Handed to the queue. */
  enqueued: number
  /** The age of the oldest due job, in the queue or not. */
  oldestDue: number
  /** The age of the oldest due job that the queue does not have. */
  oldestWaiting: number
}

/** Reads the backlog of each job, also where it is empty. Reads open jobs only, by their partial indexes. */
export async function readBacklog(db: Db): Promise<Backlog[]> {
  const rows = await queryRows<Backlog>(
    db,
    `with open as (
       select name, state, next_attempt_at <= now() and not ${IS_HELD} as is_due, next_attempt_at
       from jobs where state = 'waiting'
       union all
       select name, state, next_attempt_at <= now() and not ${IS_HELD}, next_attempt_at
       from jobs where state = 'enqueued'
     )
     select name,
       (count(*) filter (where state = 'waiting' and is_due))::integer as waiting,
       (count(*) filter (where state = 'waiting' and not is_due))::integer as retrying,
       (count(*) filter (where state = 'enqueued'))::integer as enqueued,
       coalesce(extract(epoch from now() - min(due_since) filter (where is_due)), 0)::double precision as "oldestDue",
       coalesce(extract(epoch from now() - min(due_since) filter (where state = 'waiting' and is_due)), 0)
         ::double precision as "oldestWaiting"
     from (
       select name, state, is_due, greatest(next_attempt_at, free_since) as due_since
       from (select name, ${freeSince('name')} as free_since from unnest(?::text[]) as name) job left join open using (name)
     ) job
     group by name`,
    [JobName.options],
  )
  return rows
}

/** Counts the jobs that failed for good within the last week and were not retried, by job and cause. Includes zeros. */
export async function countFailed(db: Db): Promise<{ name: JobName; cause: FailureCause; count: number }[]> {
  const rows = await queryRows<{ name: JobName; cause: FailureCause; count: number }>(
    db,
    `with failed as (
       select id, name, last_cause as cause from jobs
       where state = 'failed' and finished_at > now() - interval '7 days' and purpose <> 'test' and ${IS_NEWEST}
         and ${IS_NEWEST_ALERT}
     )
     select name, cause, count(id)::integer as count
     from unnest(?::text[]) as every_name (name) cross join unnest(?::text[]) as every_cause (cause)
     left join failed using (name, cause)
     group by name, cause`,
    [JobName.options, FailureCause.options],
  )
  return rows
}

/** Counts the leads of the last 24 hours by their match. Held leads have a count of their own. */
export async function countRecentLeads(db: Db): Promise<{ match: string; count: number }[]> {
  const rows = await queryRows<{ match: string; count: number }>(
    db,
    `select match, count(id)::integer as count
     from unnest(array['chosen', 'nearest', 'staff', 'none', 'held']) as kind (match)
     left join (
       select id, case when held_reason is not null then 'held' else coalesce(match_kind, 'none') end as match
       from leads where created_at > now() - interval '24 hours' and not is_test
     ) recent using (match)
     group by match`,
  )
  return rows
}
