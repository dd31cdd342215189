import { isUnderWay, type Outcome, outcomeOf, type TriedJob } from '../../leads/rules/outcomes.ts'
import { countRows, type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import { AFTER_DELETION, DeliveryName, type FailedJobsQuery } from '../contract/jobs.ts'
import { emailsWith, JobPayload, type Subject } from '../emails.ts'
import { columnsOf, kindOf } from '../jobs.ts'
import type { JobAgain, LatestJob } from '../rules/deliveries.ts'
import { PREVIOUS_PROVIDER, PROVIDER } from './delivery-status.ts'
import { HELD_UNTIL, IS_HELD } from './sending-pauses.ts'

/** A job that failed permanently, with its subject and reason, without the receiver's answer. */
export type FailedJob = RowWith<'jobs', Column, { finished_at: string; reason: string }>

const COLUMNS = ['id', 'subject_kind', 'subject_id', 'name', 'purpose', 'attempts'] as const
type Column = (typeof COLUMNS)[number]

/** Emails of which each provider that had the lead gets one of its own. */
const TO_EACH_CLINIC: string[] = emailsWith(({ to }) => to === 'previous_clinic')

/**
 * SQL for whether no newer generation has taken the place of a job. With `offset 0`, PostgreSQL looks each job up by the index,
 * and plans no join, which may take too long if it takes the table for small.
 */
export const IS_NEWEST = [
  `newer.subject_id = jobs.subject_id and newer.subject_kind = jobs.subject_kind
    and newer.payload -> 'providerId' is not distinct from jobs.payload -> 'providerId'
    and (newer.purpose not in ('${TO_EACH_CLINIC.join(`', '`)}') or newer.payload = jobs.payload)`,
  'jobs.subject_id is null and newer.subject_id is null and newer.payload = jobs.payload',
]
  .map(
    (isSame) => `not exists (select from jobs newer where ${isSame} and newer.name = jobs.name
      and newer.purpose = jobs.purpose and newer.generation > jobs.generation offset 0)`,
  )
  .join(' and ')

/**
 * Queries the jobs that can be retried: their newest generation failed. Of a deleted lead these are only the notices of its
 * deletion to CRM and providers.
 */
const failed = (db: Db, { since, name, cause }: FailedJobsQuery) =>
  db('jobs')
    .where({ state: 'failed', ...(name && { name }), ...(cause && { last_cause: cause }) })
    .whereIn('name', DeliveryName.options)
    // A test that failed says what staff wanted to know.
    .whereNot('purpose', 'test')
    .where('finished_at', '>=', since ?? '-infinity')
    .whereRaw(
      `(subject_kind is distinct from 'lead' or purpose = any(?) or exists (select from leads where leads.id = subject_id))`,
      [AFTER_DELETION],
    )
    .whereRaw(IS_NEWEST)

/** Counts the jobs that can be retried. */
export async function countFailed(db: Db, query: FailedJobsQuery): Promise<number> {
  return countRows(failed(db, query))
}

/** Counts them by their kind. Kinds without any are left out. */
export async function countFailedByName(db: Db, query: FailedJobsQuery): Promise<Map<string, number>> {
  const rows = await failed(db, query).groupBy('name').select('name').count({ total: '*' })
  return new Map(rows.map(({ name, total }) => [String(name), Number(total)]))
}

/** Lists jobs that can be retried, the latest failure last. */
export async function listFailed(db: Db, query: FailedJobsQuery, limit: number): Promise<FailedJob[]> {
  const rows = await failed(db, query)
    .select<RowWith<'jobs', Column, { finished_at: Date; reason: string }>[]>(
      ...COLUMNS,
      'finished_at',
      'last_error as reason',
    )
    .orderBy('finished_at')
    .limit(limit)
  return rows.map((row) => ({ ...row, finished_at: row.finished_at.toISOString() }))
}

/**
 * Returns the outcomes of the rows whose jobs of a retry have had their first attempts, and with `isLast` those of all others,
 * too.
 */
export async function outcomesOf<Row>(
  db: Db,
  tried: [row: Row, jobs: string[]][],
  isLast = false,
): Promise<[Row, Outcome][]> {
  const rows = await db('jobs')
    .select<TriedRow[]>(
      ...['id', 'state', 'last_error', 'last_detail', 'next_attempt_at'],
      db.raw(`next_attempt_at <= now() and not ${IS_HELD} as "isDue"`),
      db.raw(`case when ${IS_HELD} then ${HELD_UNTIL} end as "heldUntil"`),
    )
    .whereRaw('id = any(?::uuid[])', [tried.flatMap(([, ids]) => ids)])
  const jobs = new Map(
    rows.map(
      ({ id, last_error: error, last_detail: detail, next_attempt_at, heldUntil, ...job }): [string, TriedJob] => {
        const isPaused = heldUntil !== null && heldUntil > next_attempt_at
        const next = isPaused ? heldUntil : next_attempt_at
        return [id, { ...job, error, detail, nextAttemptAt: next.toISOString(), isPaused }]
      },
    ),
  )
  return tried.flatMap(([row, ids]) => {
    const own = ids.flatMap((id) => jobs.get(id) ?? [])
    return !isLast && own.some(isUnderWay) ? [] : [[row, outcomeOf(own)]]
  })
}

type TriedRow = RowWith<
  'jobs',
  'id' | 'state' | 'last_error' | 'last_detail' | 'next_attempt_at',
  { isDue: boolean; heldUntil: Date | null }
>

/** Reads a job, under the lock of its subject or its own, and whether a newer generation has taken its place. */
export async function readAgain(trx: Transaction, id: string): Promise<{ newest: LatestJob; isNewer: boolean }> {
  const rows = await trx('jobs')
    .where({ id })
    .select<(JobRow & { isNewer: boolean })[]>(...JOB_COLUMNS, trx.raw(`not (${IS_NEWEST}) as "isNewer"`))
  const { isNewer, ...row } = only(rows)
  return { newest: presentLatest(row), isNewer }
}

/**
 * Lists the emails of a lead to a provider that did not arrive, each in its newest generation: to the one that has the lead, and
 * to one that had it or was notified of something else.
 */
export async function listUndelivered(trx: Transaction, subject: Subject<'lead'>, clinic: number): Promise<JobAgain[]> {
  const rows = await queryRows<JobRow>(
    trx,
    `select ${JOB_COLUMNS.join(', ')}
     from (
       select distinct on (purpose, payload) jobs.*
       from jobs join leads on leads.id = subject_id
       where subject_kind = 'lead' and subject_id = :leadId and name = 'send-email'
         and case purpose when 'provider' then leads.provider_id when 'passed_on' then ${PREVIOUS_PROVIDER}
           when 'opted_out' then ${PROVIDER} when 'withdrawn' then ${PROVIDER} end = :clinic
       order by purpose, payload, generation desc
     ) newest
     where state not in ('done', 'cancelled')`,
    { leadId: kindOf(subject).id, clinic },
  )
  return rows.map(presentLatest)
}

const JOB_COLUMNS = ['name', 'purpose', 'state', 'payload'] as const
type JobRow = RowWith<'jobs', (typeof JOB_COLUMNS)[number]>

const presentLatest = (row: JobRow): LatestJob => ({
  ...{ name: row.name, purpose: row.purpose, state: row.state },
  payload: JobPayload.parse(row.payload),
})

/** Lists the newest generation of each job, for each provider that it names. */
export async function listLatest(db: Db, subject: Subject): Promise<LatestJob[]> {
  const rows = await db('jobs')
    .select<JobRow[]>(db.raw(`distinct on (name, purpose, ${PROVIDER}) ${JOB_COLUMNS.join(', ')}`))
    .where(columnsOf(subject))
    .orderByRaw(`name, purpose, ${PROVIDER}, generation desc`)
  return rows.map(presentLatest)
}
