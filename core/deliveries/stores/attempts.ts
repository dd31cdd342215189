import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import { AFTER_DELETION, type FailureCause, type JobAttempt, type LedgerJob } from '../contract/jobs.ts'
import { JobPayload, type Subject } from '../emails.ts'
import { JOBS, subjectOf } from '../jobs.ts'
import { refreshStatus } from './delivery-status.ts'
import { ANY_OPEN, HELD_KINDS, IS_HELD, PROBES } from './sending-pauses.ts'
import { pack, type SentMessage } from './sent-messages.ts'

/** A job, for the relay. */
type DueJob = Pick<LedgerJob, 'id' | 'name' | 'attempts'>

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
       returning id, name, attempts, next_attempt_at
     )
     select id, name, attempts from taken order by next_attempt_at`,
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

/** A job, for its handler. `requestId` names the call that made the job, if one did. `createdAt` is an ISO time. */
export type Job = Pick<LedgerJob, 'id' | 'name' | 'purpose' | 'generation' | 'attempts'> & {
  requestId: string | null
  createdAt: string
  subject: Subject | null
  payload: JobPayload
}

/**
 * A running attempt at a job. `startedAt` is the time of the database, to the microsecond, and identifies the attempt
 * within its job. `begun` is the same moment by the clock of this process (`performance.now()`).
 */
export type Attempt = { job: Job; startedAt: string; begun: number }

/** The result of an attempt. `delay` is in milliseconds. */
export type Settlement =
  | { state: 'done'; result: Record<string, unknown> }
  | { state: 'cancelled'; error: string }
  | ({ state: 'failed' } & Failure)
  | ({ state: 'waiting'; delay: number } & Failure)

/** `error` is our own text. `detail` is the receiver's text, which may name the visitor. */
type Failure = { cause: FailureCause; error: string; detail?: string; result?: Record<string, unknown> }

/** Interrupted attempts in a row after which a job is begun alone, because it may be what ends the workers. */
export const ALONE_AFTER = 2
/** Interrupted attempts in a row after which a job is given up. */
export const GIVEN_UP_AFTER = 4

/**
 * SQL that counts the attempts at a job since its last outcome: those whose worker has ended in the middle. Jobs that go on
 * where they were interrupted have none.
 */
const INTERRUPTED = `case when jobs.name in ('bulk', 'purge') then 0 else (
  select count(*)::integer from job_attempts as open where open.job_id = jobs.id and open.outcome is null
    and open.started_at > coalesce((
      select max(ended.started_at) from job_attempts as ended
      where ended.job_id = jobs.id and ended.outcome is not null
    ), '-infinity')
) end`

/** Reads how often in a row an attempt was interrupted, of each of these jobs that must be begun alone. */
export async function listSuspects(db: Db, ids: string[]): Promise<Map<string, number>> {
  const rows = await queryRows<RowWith<'jobs', 'id', { interrupted: number }>>(
    db,
    `select id, interrupted from jobs cross join lateral (select ${INTERRUPTED} as interrupted) as counted
     where id = any(?::uuid[]) and state in ('waiting', 'enqueued') and interrupted >= ?`,
    [ids, ALONE_AFTER],
  )
  return new Map(rows.map(({ id, interrupted }) => [id, interrupted]))
}

/** Removes an attempt that was begun and handed back before anything was done. */
export async function withdraw(db: Db, { job, startedAt }: Attempt): Promise<void> {
  await queryRows(db, 'delete from job_attempts where job_id = ? and started_at = ? and outcome is null', [
    job.id,
    startedAt,
  ])
}

/**
 * Begins an attempt at each of these jobs and records it in the ledger, in no particular order. Skips jobs that are
 * settled, cancelled or deleted, and parks those of a deleted lead. Jobs whose sending is paused
 * go back to the relay, which holds them. Skips those that must be begun alone (`listSuspects`), unless `alone`.
 *
 * Does not wait for the disk. If PostgreSQL crashes within the next second, the attempt is recorded when it ends.
 */
export async function begin(db: Db, ids: string[], { alone = false } = {}): Promise<Attempt[]> {
  const begun = performance.now()
  const rows = await queryRows<BegunRow>(
    db,
    `with job as (
        select ${BEGUN.join(', ')},
          -- For this statement only, which is a transaction by itself.
          set_config('synchronous_commit', 'off', true)
        from jobs
        where id = any(?::uuid[]) and state in ('waiting', 'enqueued')
          and (subject_kind is distinct from 'lead' or purpose = any(?)
            or exists (select from leads where leads.id = subject_id))
          and not ${IS_HELD}
          and (?::boolean or ${INTERRUPTED} < ${ALONE_AFTER})
      ), parked as (
        -- Of leads that are deleted: see deleted-leads.ts. Their lock keeps a restoration from missing these jobs.
        update jobs set state = 'cancelled', finished_at = deleted_at
        from (
          select all_leads.id, deleted_at from jobs join all_leads on all_leads.id = subject_id
          where subject_kind = 'lead' and jobs.id = any(?::uuid[]) and deleted_at is not null for share of all_leads
        ) deleted
        where subject_kind = 'lead' and subject_id = deleted.id and jobs.id = any(?::uuid[]) and state in ('waiting', 'enqueued')
      ), held as (
        update jobs set state = 'waiting'
        where ${ANY_OPEN} and id = any(?::uuid[]) and state = 'enqueued' and ${IS_HELD}
      ), attempt as (
        insert into job_attempts (job_id) select id from job returning job_id, started_at
      )
      select ${BEGUN.join(', ')}, started_at::text as "startedAt"
      from job join attempt on job_id = id`,
    [ids, AFTER_DELETION, alone, ids, ids, ids],
    { name: 'begin-attempts' },
  )
  return rows.map(
    ({ id, name, purpose, generation, attempts, request_id, created_at, startedAt, payload, ...columns }) => ({
      job: {
        ...{ id, name, purpose, generation, attempts, requestId: request_id, createdAt: created_at.toISOString() },
        ...{ subject: subjectOf(columns), payload: JobPayload.parse(payload) },
      },
      startedAt,
      begun,
    }),
  )
}

const BEGUN = [
  ...(['id', 'name', 'purpose', 'generation', 'attempts', 'request_id', 'created_at'] as const),
  ...(['subject_kind', 'subject_id', 'payload'] as const),
] as const
type BegunRow = RowWith<'jobs', (typeof BEGUN)[number], { startedAt: string }>

/** An attempt with its result, after `ms` milliseconds, and what it has sent, if that is kept. */
export type EndedAttempt = { attempt: Attempt; settlement: Settlement; ms: number; sent?: SentMessage }

/**
 * Records the results of attempts, what they have sent, the state of their jobs and that of their leads' deliveries. The
 * caller holds the locks of the subjects.
 * @returns the ids of the jobs that were not settled or cancelled in the meantime; of others only the attempt is recorded
 */
export async function settle(trx: Transaction, ended: EndedAttempt[]): Promise<Set<string>> {
  const rows = await queryRows<RowWith<'jobs', 'id'>>(
    trx,
    `with ending as (
        select ending.*, now() + delay * interval '1 ms' as next_attempt_at
        -- An array, which is taken to be short: a set of records is taken for a hundred, and the whole table is read for it.
        from unnest(?::jsonb[]) as row cross join lateral jsonb_to_record(row) as ending (
          job_id uuid, started_at timestamptz, ms integer, state text, error text, cause text, detail text, result jsonb,
          delay double precision, sent text
        )
      ), settled as (
        update jobs set state = ending.state, attempts = attempts + 1, last_error = error, last_cause = cause,
          last_detail = detail,
          result = ending.result,
          next_attempt_at = coalesce(ending.next_attempt_at, jobs.next_attempt_at),
          finished_at = case when ending.next_attempt_at is null then now() end
        from ending
        where id = job_id and jobs.state in ('waiting', 'enqueued')
        returning jobs.id, ending.next_attempt_at
      ), attempt as (
        insert into job_attempts (job_id, started_at, duration_ms, outcome, status, error, cause, detail, next_attempt_at)
        select job_id, started_at, ms, case state when 'waiting' then 'failed' else state end,
          (result->>'status')::integer, error, cause, detail, settled.next_attempt_at
        from ending left join settled on settled.id = job_id
        on conflict (job_id, started_at) do update set duration_ms = excluded.duration_ms, outcome = excluded.outcome,
          status = excluded.status, error = excluded.error, cause = excluded.cause, detail = excluded.detail,
          next_attempt_at = excluded.next_attempt_at
      ), kept as (
        insert into sent_messages (job_id, body)
        select job_id, decode(sent, 'base64') from ending join jobs on jobs.id = job_id where sent is not null
        on conflict (job_id) do update set at = excluded.at, body = excluded.body
      )
      select id from settled`,
    [ended.map((attempt) => JSON.stringify(asRow(attempt)))],
    { name: 'settle-jobs' },
  )

  const settled = new Set(rows.map(({ id }) => id))
  const delivered = ended.flatMap(({ attempt: { job } }) =>
    settled.has(job.id) && job.name !== 'match-lead' && job.subject ? job.subject : [],
  )
  await refreshStatus(trx, ...delivered)
  return settled
}

/** Builds the row of an attempt. Undefined values become null in the table. */
function asRow({ attempt, settlement: { state, ...settlement }, ms, sent }: EndedAttempt) {
  return {
    ...{ job_id: attempt.job.id, started_at: attempt.startedAt, ms: Math.round(ms), state, ...settlement },
    ...(sent && { sent: pack(sent) }),
  }
}

/** Lists the attempts at each of these jobs, the first one first, by the id of the job. */
export async function list(
  db: Db,
  jobs: Pick<LedgerJob, 'id' | 'name' | 'state'>[],
): Promise<Map<string, JobAttempt[]>> {
  const age = db.raw('(extract(epoch from now() - started_at) * 1000)::double precision as age')
  const rows = await db('job_attempts')
    .select<AttemptRow[]>(...COLUMNS, age)
    .whereIn(
      'job_id',
      jobs.map(({ id }) => id),
    )
    .orderBy('started_at')
  return new Map(
    jobs.map(({ id, name, state }) => {
      const own = rows.filter(({ job_id }) => job_id === id)
      const isOpen = state === 'waiting' || state === 'enqueued'
      const mayRun = (row: AttemptRow) => isOpen && row === own.at(-1) && row.age < JOBS[name].timeout
      return [id, own.map((row) => present(row, mayRun(row)))]
    }),
  )
}

const COLUMNS = [
  'job_id',
  'started_at',
  'duration_ms',
  'outcome',
  'status',
  'error',
  'cause',
  'detail',
  'next_attempt_at',
] as const
type AttemptRow = RowWith<'job_attempts', (typeof COLUMNS)[number], { age: number }>

function present({ job_id: _, age: __, ...row }: AttemptRow, mayRun: boolean): JobAttempt {
  return {
    ...row,
    started_at: row.started_at.toISOString(),
    outcome: row.outcome ?? (mayRun ? 'running' : 'interrupted'),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  }
}
