import { FailureCause, JobName } from '../../deliveries/contract/jobs.ts'
import { columnsOf } from '../../deliveries/jobs.ts'
import { IS_NEWEST } from '../../deliveries/stores/failed-jobs.ts'
import { wakeRelay } from '../../deliveries/stores/jobs.ts'
import { freeSince, IS_HELD } from '../../deliveries/stores/sending-pauses.ts'
import type { Env } from '../../env.ts'
import { NO_TESTS } from '../../leads/stores/leads.ts'
import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import * as auditLog from '../../staff/stores/audit-log.ts'
import type { DeliveryKind, Overview } from '../contract/overview.ts'
import { addDays, dueWeek, type Period } from '../rules/overview.ts'

const ZIPS_SHOWN = 100
const MAX_ID = 2_147_483_647

/** SQL for the leads of a period, without test leads. Binds its first and last day as :from and :to, and their time zone as :timeZone. */
const IN_PERIOD = `created_at >= start_of_day(cast(:from as date), :timeZone)
  and created_at < start_of_day(cast(:to as date) + 1, :timeZone) and ${NO_TESTS}`

type LocalPeriod = Period & { timeZone: string }

/** The ids of a period's first and last lead. Ids grow with time, so their range is nearly the period. */
type Range = { first: number; last: number }

/** SQL for the jobs of a period's leads, and a few more: the range reads them in one piece from the index. */
const IN_RANGE = `subject_kind = 'lead' and subject_id between :first and :last and name in ('send-email', 'sync-crm')`

/** Reads the overview of a period, in one snapshot. Deleted leads are not part of it. */
export async function read(db: Db, period: LocalPeriod): Promise<Overview> {
  return db.transaction(
    async (trx) => {
      // With the default of 4 MB, sorts and hashes over a month of leads spill to disk.
      await trx.raw(`set local work_mem = '64MB'`)
      const { days, range } = await readDays(trx, period)
      return {
        from: period.from,
        to: period.to,
        totals: totalsOf(days),
        days,
        deliveries: await readDeliveries(trx, { ...period, ...range }),
        coverage: await readCoverage(trx, period),
      }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

async function readDays(trx: Transaction, period: LocalPeriod): Promise<{ days: Overview['days']; range: Range }> {
  const rows = await queryRows<DayRow>(
    trx,
    `select to_char(day, 'YYYY-MM-DD') as day, coalesce(received, 0) as received, coalesce(matched, 0) as matched,
       coalesce(received - matched - held, 0) as unmatched, coalesce(held, 0) as held, first, last
     from generate_series(cast(:from as timestamp), cast(:to as timestamp), interval '1 day') as day
     left join (
       select date_trunc('day', created_at at time zone :timeZone) as day, count(*)::integer as received,
         (count(*) filter (where held_reason is not null))::integer as held,
         (count(*) filter (where held_reason is null and provider_id is not null))::integer as matched,
         min(id) as first, max(id) as last
       from leads where ${IN_PERIOD} group by 1
     ) counted using (day)
     order by day`,
    period,
  )
  const found = rows.filter(({ received }) => received > 0)
  return {
    days: rows.map(({ first: _first, last: _last, ...day }) => day),
    range: {
      first: Math.min(MAX_ID, ...found.map(({ first }) => first)),
      last: Math.max(0, ...found.map(({ last }) => last)),
    },
  }
}

type DayRow = Overview['days'][number] & Range

function totalsOf(days: Overview['days']): Overview['totals'] {
  const sum = (kind: 'received' | 'matched' | 'unmatched' | 'held') => days.reduce((total, day) => total + day[kind], 0)
  const [received, matched, unmatched, held] = [sum('received'), sum('matched'), sum('unmatched'), sum('held')]
  const toMatch = matched + unmatched
  return { received, matched, unmatched, held, matchedShare: toMatch === 0 ? null : matched / toMatch }
}

/**
 * Reads the states of deliveries by the rule of `deliveryStatusSql`. Cancelled jobs do not count. Needs one pass over the jobs without sorting: a job
 * is the newest of its kind if its next generation is not among the few jobs that were retried.
 */
async function readDeliveries(trx: Transaction, where: LocalPeriod & Range): Promise<Overview['deliveries']> {
  const rows = await queryRows<DeliveryRow>(
    trx,
    `with lead as (select id from leads where ${IN_PERIOD}),
     job as (
       select jobs.*, (subject_id, name, purpose, generation + 1) not in (
         select subject_id, name, purpose, generation from jobs where ${IN_RANGE} and generation > 1
       ) as is_newest
       from jobs join lead on lead.id = subject_id
       where ${IN_RANGE}
     ),
     delivery as (
       select name = 'send-email' as is_email,
         case
           when bool_or(is_newest and state = 'failed') and (name = 'send-email' or not bool_or(state = 'done')) then 3
           when bool_or(is_newest and state in ('waiting', 'enqueued')) then 2
           when bool_or(is_newest and state in ('done', 'failed') and purpose <> 'team') then 1
           else 0
         end as status
       from job
       group by subject_id, name
     )
     select case when is_email then 'email' else 'crm' end as kind,
       (count(*) filter (where status = 3))::integer as failed,
       (count(*) filter (where status = 2))::integer as pending,
       (count(*) filter (where status = 1))::integer as success
     from delivery group by is_email`,
    where,
  )
  const none = { success: 0, pending: 0, failed: 0 }
  const deliveries: Overview['deliveries'] = { email: none, crm: none }
  for (const { kind, ...counts } of rows) deliveries[kind] = counts
  return deliveries
}

type DeliveryRow = { kind: DeliveryKind; success: number; pending: number; failed: number }

/** Reads the zips of leads that had no provider in reach. Skips leads that were matched automatically later. */
async function readCoverage(trx: Transaction, period: LocalPeriod): Promise<Overview['coverage']> {
  const rows = await queryRows<CoverageRow>(
    trx,
    `select wanted.*, city, state, nearest.miles as "nearestMiles"
     from (
       select zip_code as zip, count(*)::integer as leads, (count(*) over ())::integer as "totalZips",
         count(provider_id)::integer as "matchedByHand", max(match_distance_miles) as "matchedMiles"
       from leads
       where ${IN_PERIOD} and unreached_at is not null and (provider_id is null or match_kind = 'staff')
       group by zip_code order by leads desc, zip_code limit ${ZIPS_SHOWN}
     ) wanted
     left join zip_codes using (zip)
     cross join lateral (select coalesce(zip_codes.location, zip_location(wanted.zip)) as point offset 0) here
     left join lateral (
       select earth_distance(location, point) / 1609.344 as miles
       from providers where status = 't' order by location <-> point limit 1
     ) nearest on point is not null
     order by leads desc, zip`,
    period,
  )
  return {
    zips: rows.map(({ totalZips: _, ...zip }) => zip),
    totalZips: rows[0]?.totalZips ?? 0,
  }
}

type CoverageRow = Overview['coverage']['zips'][number] & { totalZips: number }

/** A weekly report to the team. The figures are read when it is sent. It is only known by its jobs. */
export type Report = { id: number; period: Period }

/** Returns whether there is a report for the week. */
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

/** Returns the report of a number. */
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
      details: { report: 'weekly_report', ...week },
    })
    return true
  })
}
