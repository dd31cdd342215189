import { listTried } from '../../deliveries/stores/failed-jobs.ts'
import { OWNER_COLUMNS, type OwnerColumns } from '../../deliveries/stores/job-owner.ts'
import { JOBS_CHANNEL, OPEN } from '../../deliveries/stores/jobs.ts'
import { outcomeOf } from '../../leads/rules/outcomes.ts'
import * as leads from '../../leads/stores/leads.ts'
import { countRows, type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import { currentRequest } from '../../platform/log.ts'
import { traceParent } from '../../platform/trace.ts'
import type { BulkInput } from '../../tables/column-types.ts'
import type { Row, RowWith } from '../../tables/table.ts'
import { type Bulk, type BulkProgress, type BulkPurpose, type BulkReport, MAX_FAILURES } from '../contract/bulk.ts'

/** A row to act on: a lead, or a delivery to retry with its owner. */
export type NewItem = Partial<OwnerColumns> & { retried_job?: string }
export type Item = RowWith<'bulk_items', 'position' | 'lead_id' | 'retried_job'>
export type ItemOutcome = { position: number; outcome: 'succeeded' | 'failed' | 'waiting'; error: string | null }

/** The act on a row: its outcome, or the ids of added deliveries, whose first attempts decide it. */
export type Act = ItemOutcome | { position: number; added: string[] }

/** The bulk action of a job, for its handler. */
export type BulkRow = Pick<Row<'bulk_actions'>, 'actor' | 'input' | 'total'>

/** Makes the transactions that start bulk actions wait for each other, so that they can count what runs. */
export async function lockStarts(trx: Transaction): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtext('bulk_actions'))`)
}

/** Counts the bulk actions of these kinds that have not acted on all their rows. */
export async function countActing(db: Db, purposes: BulkPurpose[]): Promise<number> {
  return countRows(
    db('bulk_actions')
      .join('jobs', 'jobs.id', 'bulk_actions.job_id')
      .whereIn('jobs.purpose', purposes)
      .whereIn('jobs.state', OPEN)
      .whereExists(db('bulk_items').select(db.raw('1')).whereRaw('bulk_items.job_id = jobs.id and acted_at is null')),
  )
}

/** Adds a bulk action with its rows, in their order. Returns the id of its job. */
export async function add(
  trx: Transaction,
  { purpose, actor, input, items }: { purpose: BulkPurpose; actor: string; input: BulkInput; items: NewItem[] },
): Promise<string> {
  const job = { name: 'bulk', purpose, request_id: currentRequest()?.id ?? null, trace_parent: traceParent() } as const
  const { id } = only(await trx('jobs').insert(job).returning('id'))
  await trx('bulk_actions').insert({ job_id: id, actor, input: JSON.stringify(input), total: items.length })
  await trx.raw(
    `insert into bulk_items (job_id, position, lead_id, application_id, account_id, sync_id, retried_job)
     select ?, position - 1, lead_id, application_id, account_id, sync_id, retried_job
     from rows from (jsonb_to_recordset(?::jsonb) as (
       lead_id integer, application_id integer, account_id integer, sync_id integer, retried_job uuid
     )) with ordinality as item (lead_id, application_id, account_id, sync_id, retried_job, position)`,
    [id, JSON.stringify(items)],
  )
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
  return id
}

/** Finds the bulk action of a job. */
export async function find(db: Db, id: string): Promise<BulkRow | null> {
  return (await db('bulk_actions').where({ job_id: id }).first('actor', 'input', 'total')) ?? null
}

/** Locks the first row that no act has reached and that no other worker holds, except those at `skipped` positions. */
export async function lockNext(trx: Transaction, id: string, skipped: number[]): Promise<Item | null> {
  const item = await trx('bulk_items')
    .where({ job_id: id, acted_at: null })
    .whereNotIn('position', skipped)
    .orderBy('position')
    .forUpdate()
    .skipLocked()
    .first('position', 'lead_id', 'retried_job')
  return item ?? null
}

/** Returns whether no act has reached some row. */
export async function hasOpen(db: Db, id: string): Promise<boolean> {
  return (await db('bulk_items').where({ job_id: id, acted_at: null }).first('position')) !== undefined
}

/** Records the act on a row, in its transaction. */
export async function recordAct(trx: Db, id: string, act: Act): Promise<void> {
  const outcome = 'added' in act ? { added_jobs: act.added } : { outcome: act.outcome, error: act.error }
  await trx('bulk_items')
    .where({ job_id: id, position: act.position, acted_at: null })
    .update({ ...outcome, acted_at: trx.fn.now() })
}

/** Lists the rows whose deliveries decide their outcomes: the ids of the deliveries, by the position of the row. */
export async function listAwaited(db: Db, id: string): Promise<Map<number, string[]>> {
  const rows = await db('bulk_items')
    .where({ job_id: id, outcome: null })
    .whereNotNull('acted_at')
    .orderBy('position')
    .select('position', 'added_jobs')
  return new Map(rows.map(({ position, added_jobs }) => [position, added_jobs]))
}

/** Records the outcomes of rows whose deliveries were awaited. */
export async function recordOutcomes(db: Db, id: string, outcomes: Omit<ItemOutcome, 'error'>[]): Promise<void> {
  await db.raw(
    `update bulk_items set outcome = ended.outcome
     from jsonb_to_recordset(?::jsonb) as ended (position integer, outcome text)
     where job_id = ? and bulk_items.position = ended.position and bulk_items.outcome is null`,
    [JSON.stringify(outcomes), id],
  )
}

/** Counts the rows by their outcomes. */
export async function count(db: Db, id: string): Promise<Omit<BulkReport, 'failures'>> {
  const rows = await queryRows<Omit<BulkReport, 'failures'>>(
    db,
    `select (count(*) filter (where outcome = 'succeeded'))::integer as succeeded,
       (count(*) filter (where outcome = 'failed'))::integer as failed,
       (count(*) filter (where outcome = 'waiting'))::integer as waiting
     from bulk_items where job_id = ?`,
    [id],
  )
  return only(rows)
}

/**
 * Writes the progress that dashboards read. Also a sign of life: a long action is neither late nor lost by the queue as long
 * as it makes progress.
 */
export async function writeProgress(db: Db, id: string, { done, failed }: Omit<BulkProgress, 'total'>): Promise<void> {
  await db('bulk_actions').where({ job_id: id }).update({ done, failed })
  await db('jobs')
    .where({ id })
    .whereIn('state', OPEN)
    .update({ next_attempt_at: db.fn.now(), enqueued_at: db.fn.now() })
}

/** Reads a bulk action, with its report once it is done. */
export async function read(db: Db, id: string): Promise<Bulk | null> {
  const row = await query(db).where('job_id', id).first()
  if (!row) return null
  const bulk = present(row)
  return bulk.state === 'done' ? { ...bulk, report: await readReport(db, id) } : bulk
}

/** Lists the bulk actions of an actor that are not done, the newest first. */
export async function listRunning(db: Db, actor: string): Promise<Bulk[]> {
  const rows = await query(db).where({ actor }).whereIn('state', OPEN).orderBy('bulk_actions.created_at', 'desc')
  return rows.map(present)
}

type ActionRow = RowWith<'bulk_actions', 'done' | 'failed' | 'total'> & RowWith<'jobs', 'id' | 'purpose' | 'state'>

const query = (db: Db) =>
  db('bulk_actions')
    .join('jobs', 'jobs.id', 'bulk_actions.job_id')
    .select<ActionRow[]>('jobs.id', 'purpose', 'state', 'done', 'failed', 'total')

function present({ id, purpose, state, ...progress }: ActionRow): Bulk {
  const stage = state === 'done' || state === 'failed' ? state : 'running'
  return { id, action: purpose as BulkPurpose, state: stage, progress, report: null }
}

async function readReport(db: Db, id: string): Promise<BulkReport> {
  const failed = await db('bulk_items')
    .where({ job_id: id, outcome: 'failed' })
    .orderBy('position')
    .limit(MAX_FAILURES)
    .select('position', 'error', 'added_jobs', ...OWNER_COLUMNS)
  // Read now and never stored here: a person who asked to be forgotten is forgotten here, too.
  const [names, tried] = await Promise.all([
    leads.listNames(
      db,
      failed.flatMap(({ lead_id }) => lead_id ?? []),
    ),
    listTried(
      db,
      failed.flatMap(({ added_jobs }) => added_jobs),
    ),
  ])
  const refusal = (ids: string[]) => {
    const outcome = outcomeOf(ids.flatMap((jobId) => tried.get(jobId) ?? []))
    return outcome.state === 'refused' ? outcome.error : 'It failed.'
  }
  return {
    ...(await count(db, id)),
    failures: failed.map(({ error, added_jobs, ...row }) => ({
      ...row,
      name: names.get(row.lead_id ?? 0) ?? null,
      error: error ?? refusal(added_jobs),
    })),
  }
}
