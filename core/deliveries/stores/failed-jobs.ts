import { IS_NEWEST_ALERT } from '../../conditions/stores/alerts.ts'
import type { TriedJob } from '../../leads/rules/outcomes.ts'
import { countRows, type Db } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import { AFTER_DELETION, DeliveryName, type FailedJobsQuery } from '../contract/jobs.ts'
import { IS_NEWEST, JOB_OWNER_COLUMNS } from './job-owner.ts'
import { HELD_UNTIL, IS_HELD } from './sending-pauses.ts'

/** A job that failed for good, with its owner and reason, without the answer of the other side. */
export type FailedJob = RowWith<'jobs', Column, { finished_at: string; reason: string }>

const COLUMNS = ['id', ...JOB_OWNER_COLUMNS, 'name', 'purpose', 'attempts'] as const
type Column = (typeof COLUMNS)[number]

/**
 * Queries the jobs that can be retried: their newest generation failed. Of a deleted lead these are only the notices of its
 * deletion to CRM and clinics.
 */
const failed = (db: Db, { since, name, cause }: FailedJobsQuery) =>
  db('jobs')
    .where({ state: 'failed', ...(name && { name }), ...(cause && { last_cause: cause }) })
    .whereIn('name', DeliveryName.options)
    // A test that failed has told what staff wanted to know.
    .whereNot('purpose', 'test')
    .where('finished_at', '>=', since ?? '-infinity')
    .whereRaw('(lead_id is null or purpose = any(?) or exists (select from leads where leads.id = lead_id))', [
      AFTER_DELETION,
    ])
    .whereRaw(IS_NEWEST)
    .whereRaw(IS_NEWEST_ALERT)

/** Counts the jobs that can be retried. */
export async function countFailed(db: Db, query: FailedJobsQuery): Promise<number> {
  return countRows(failed(db, query))
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

/** Reads the states of jobs, by id. Deleted jobs are left out. A paused one is due at the end of its pause. */
export async function listTried(db: Db, ids: string[]): Promise<Map<string, TriedJob>> {
  if (ids.length === 0) return new Map()
  const rows = await db('jobs')
    .select<TriedRow[]>(
      ...['id', 'state', 'last_error', 'last_detail', 'next_attempt_at'],
      db.raw(`next_attempt_at <= now() and not ${IS_HELD} as "isDue"`),
      db.raw(`case when ${IS_HELD} then ${HELD_UNTIL} end as "heldUntil"`),
    )
    .whereRaw('id = any(?::uuid[])', [ids])
  return new Map(
    rows.map(({ id, state, last_error: error, last_detail: detail, next_attempt_at, isDue, heldUntil }) => {
      const isPaused = heldUntil !== null && heldUntil > next_attempt_at
      const next = isPaused ? heldUntil : next_attempt_at
      return [id, { state, error, detail, isDue, nextAttemptAt: next.toISOString(), isPaused }]
    }),
  )
}

type TriedRow = RowWith<
  'jobs',
  'id' | 'state' | 'last_error' | 'last_detail' | 'next_attempt_at',
  { isDue: boolean; heldUntil: Date | null }
>
