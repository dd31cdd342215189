import type { Attempts, Sending, SendingId } from '../../conditions/contract/integrations.ts'
import { IS_LEFT_TO_SUMMARY } from '../../conditions/stores/alerts.ts'
import { DAY, MINUTE } from '../../contract/time.ts'
import { type Db, only, queryRows } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import type { FailureCause } from '../contract/jobs.ts'
import { causesOf, MIN_STREAK, type Streak } from '../rules/failures.ts'
import { findEnd, JOB_OF } from './sending-pauses.ts'

/*
 * What the ledger says about the integrations that deliveries are sent to. Attempts are found by their time, which has a small
 * index (BRIN), so that no reading goes back further than a day.
 */

/**
 * SQL for the ended attempts at one kind of job that began within so many milliseconds. What was left to a summary was
 * not sent.
 */
const RECENT = `
  select started_at, started_at + duration_ms * interval '1 ms' as ended_at, outcome, cause, error, detail
  from job_attempts join (select id, name, result from jobs) job on job.id = job_id
  where started_at > now() - :since * interval '1 ms' and outcome in ('done', 'failed') and name = :name
    and not (outcome = 'done' and ${IS_LEFT_TO_SUMMARY})`

const ALIVE = `(outcome = 'done' or cause = any(:alive))`

const signs = (integration: SendingId) => ({
  name: JOB_OF[integration],
  alive: causesOf(integration, 'alive'),
  faults: causesOf(integration, 'fault'),
})

/** In milliseconds: how far back the breaker looks. Longer than a streak that opens it must last. */
const WATCHED = 10 * MINUTE

/** The streak of faults of an integration, with the latest cause and our words for it. */
export type FaultStreak = Streak & { cause: FailureCause | null; error: string | null }

/**
 * Returns whether the integration gave a sign of life within so many milliseconds. Ends with the first one, so that it is cheap
 * while all is well, however much is sent.
 */
async function isAlive(db: Db, integration: SendingId, within: number): Promise<boolean> {
  const rows = await queryRows(
    db,
    `select from job_attempts
     where started_at > now() - :within * interval '1 ms' and ${ALIVE}
       and (select name from jobs where jobs.id = job_id and not ${IS_LEFT_TO_SUMMARY}) = :name
     limit 1`,
    { ...signs(integration), within },
  )
  return rows.length > 0
}

/**
 * Reads the faults since the last sign of life, in the last minutes. Reads nothing else while the last sign is too young for a
 * streak.
 * @param since the time before which attempts do not count, as before the end of a pause
 * @param within how far back to look, in milliseconds
 */
export async function readStreak(
  db: Db,
  integration: SendingId,
  since: Date | null,
  within = WATCHED,
): Promise<FaultStreak> {
  if (await isAlive(db, integration, MIN_STREAK)) return { faults: 0, lasts: 0, cause: null, error: null }
  return only(
    await queryRows<FaultStreak>(
      db,
      `with recent as (${RECENT} and started_at > coalesce(cast(:after as timestamptz), '-infinity')),
       streak as (
         select * from recent where cause = any(:faults)
           and started_at > coalesce((select max(started_at) from recent where ${ALIVE}), '-infinity')
       ), latest as (select cause, error from streak order by started_at desc limit 1)
       select count(*)::integer as faults,
         coalesce(extract(epoch from now() - min(started_at)) * 1000, 0)::double precision as lasts,
         (select cause from latest) as cause, (select error from latest) as error
       from streak`,
      { ...signs(integration), since: within, after: since },
    ),
  )
}

/** Reads the faults of an integration since the last sign of life, and the end of its latest pause, of a day. */
export async function readFaults(db: Db, integration: SendingId): Promise<FaultStreak> {
  return readStreak(db, integration, await findEnd(db, integration), DAY)
}

/** The answer to a probe: undefined while it has none, and no cause for a success. `gone`: it will give none. */
export type ProbeAnswer = { outcome: 'done' | 'failed'; cause: FailureCause | null } | 'gone' | undefined

export async function readProbe(db: Db, jobId: string, since: Date): Promise<ProbeAnswer> {
  const [attempt] = await queryRows<RowWith<'job_attempts', 'cause', { outcome: 'done' | 'failed' }>>(
    db,
    `select outcome, job_attempts.cause from job_attempts join jobs on jobs.id = job_id
     where job_id = ? and job_attempts.started_at >= ? and outcome in ('done', 'failed')
       and not (outcome = 'done' and ${IS_LEFT_TO_SUMMARY})
     order by started_at desc limit 1`,
    [jobId, since],
  )
  if (attempt) return attempt
  const open = await db('jobs').where({ id: jobId }).whereIn('state', ['waiting', 'enqueued']).first('id')
  return open ? undefined : 'gone'
}

type Attempted = Pick<Sending, 'last_failure' | 'hour' | 'day' | 'last_success_at'>
type AttemptedRow = {
  hour: Attempts
  day: Attempts
  lastSuccess: Date | null
  failedAt: Date | null
  error: string | null
  detail: string | null
}

/** Reads the attempts of the last 24 hours. */
export async function readAttempted(db: Db, integration: SendingId): Promise<Attempted> {
  const ofHour = `started_at > now() - interval '1 hour'`
  const row = only(
    await queryRows<AttemptedRow>(
      db,
      `with recent as materialized (${RECENT}),
       failure as (select ended_at, error, detail from recent where outcome = 'failed' order by started_at desc limit 1)
       select
         json_build_object('succeeded', count(*) filter (where outcome = 'done' and ${ofHour}),
           'failed', count(*) filter (where outcome = 'failed' and ${ofHour})) as hour,
         json_build_object('succeeded', count(*) filter (where outcome = 'done'),
           'failed', count(*) filter (where outcome = 'failed')) as day,
         max(ended_at) filter (where outcome = 'done') as "lastSuccess",
         (select ended_at from failure) as "failedAt", (select error from failure), (select detail from failure)
       from recent`,
      { name: JOB_OF[integration], since: DAY },
    ),
  )
  const { hour, day, lastSuccess, failedAt, error, detail } = row
  return {
    ...{ hour, day },
    last_success_at: lastSuccess?.toISOString() ?? null,
    last_failure: failedAt && { at: failedAt.toISOString(), error: error ?? 'It failed.', detail },
  }
}

type Open = Pick<Sending, 'waiting' | 'retrying' | 'oldest_waiting_at'>

/** Reads the deliveries to an integration that are not done. */
export async function readOpen(db: Db, integration: SendingId): Promise<Open> {
  const { oldest, ...counts } = only(
    await queryRows<Omit<Open, 'oldest_waiting_at'> & { oldest: Date | null }>(
      db,
      `select (count(*) filter (where attempts = 0))::integer as waiting,
         (count(*) filter (where attempts > 0))::integer as retrying, min(created_at) as oldest
       from (
         select name, attempts, created_at from jobs where state = 'waiting'
         union all
         select name, attempts, created_at from jobs where state = 'enqueued'
       ) open where name = :name`,
      { name: JOB_OF[integration] },
    ),
  )
  return { ...counts, oldest_waiting_at: oldest?.toISOString() ?? null }
}
