import { FailureCause, JobName } from '../../deliveries/contract/jobs.ts'
import { columnsOf } from '../../deliveries/jobs.ts'
import { IS_NEWEST } from '../../deliveries/stores/failed-jobs.ts'
import { wakeRelay } from '../../deliveries/stores/jobs.ts'
import { freeSince, IS_HELD } from '../../deliveries/stores/sending-pauses.ts'
import type { Env } from '../../env.ts'
import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import * as auditLog from '../../staff/stores/audit-log.ts'
import { addDays, dueWeek, type Period } from '../rules/overview.ts'

/** A weekly report to the team. The figures are read when it is sent. It is only known by its jobs. */
export type Report = { id: number; period: Period }

export async function exists(db: Db, { from }: Period): Promise<boolean> {
  return (
    (await db('jobs')
      .where(columnsOf(`report:${idOf(from)}`))
      .first('id')) !== undefined
  )
}

/**
 * Adds a report, with the job that sends it, to be attempted now. Of any number of processes that do so at the same time, one
 * adds it.
 * @returns whether it was added
 */
export async function add(trx: Transaction, { from }: Period): Promise<boolean> {
  const added = await queryRows<{ id: string }>(
    trx,
    `insert into jobs (name, purpose, subject_kind, subject_id)
     values ('send-email', 'weekly_report', 'report', :id) on conflict do nothing returning id`,
    { id: idOf(from) },
  )
  if (added.length > 0) await wakeRelay(trx)
  return added.length > 0
}

/** The number of a report: the first day of its week as digits (20261116). */
const idOf = (from: string) => Number(from.replaceAll('-', ''))

export function find(id: number): Report {
  const from = String(id).replace(/^(\d{4})(\d\d)/, '$1-$2-')
  return { id, period: { from, to: addDays(from, 6) } }
}

/** Locks a report by its first job. Returns whether it is there. */
export async function lock(trx: Transaction, id: number): Promise<boolean> {
  const first = trx('jobs').where({ ...columnsOf(`report:${id}`), generation: 1 })
  return (await first.forNoKeyUpdate().first('id')) !== undefined
}

/** Returns whether a lead has come before the end of a period. */
export async function hasLeads(db: Db, { to, timeZone }: Period & { timeZone: string }): Promise<boolean> {
  const found = await queryRows(
    db,
    'select from leads where not is_test and created_at < start_of_day(cast(:to as date) + 1, :timeZone) limit 1',
    { to, timeZone },
  )
  return found.length > 0
}

/** The present backlog of one kind of job. Ages are in seconds, 0 where nothing waits. */
type Backlog = {
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

/** Counts the jobs that failed permanently within the last week and were not retried, by job and cause. Includes zeros. */
export async function countFailed(db: Db): Promise<{ name: JobName; cause: FailureCause; count: number }[]> {
  const rows = await queryRows<{ name: JobName; cause: FailureCause; count: number }>(
    db,
    `with failed as (
       select id, name, last_cause as cause from jobs
       where state = 'failed' and finished_at > now() - interval '7 days' and purpose <> 'test' and ${IS_NEWEST}
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

export type ReportEnv = Pick<Env, 'NETWORK_TIME_ZONE'>

/**
 * Adds the report of the last week to the team, if it is due and not there yet, in one transaction with its job, so that it is
 * sent once, whatever is killed. A new installation has nothing to tell.
 * @returns whether it was added
 */
export async function addWeeklyReport(db: Db, env: ReportEnv, now = new Date()): Promise<boolean> {
  const timeZone = env.NETWORK_TIME_ZONE
  const week = dueWeek(now, timeZone)
  if (!week || (await exists(db, week)) || !(await hasLeads(db, { ...week, timeZone }))) return false
  return db.transaction(async (trx) => {
    if (!(await add(trx, week))) return false
    await auditLog.record(trx, {
      ...{ actor: 'system', action: 'send-report', entity: 'network', entityId: 'all' },
      details: week,
    })
    return true
  })
}
