import { eachLeadField } from '../../contract/lead-form.ts'
import { subjectOf } from '../../deliveries/jobs.ts'
import * as changes from '../../deliveries/stores/changes.ts'
import { listTried } from '../../deliveries/stores/failed-jobs.ts'
import { addAlone, OPEN } from '../../deliveries/stores/jobs.ts'
import { AppError } from '../../errors.ts'
import type { LeadExportQuery } from '../../leads/contract/leads.ts'
import type { NewAnswer } from '../../leads/contract/outcomes.ts'
import { outcomeOf } from '../../leads/rules/outcomes.ts'
import { inOrder, type LocalFilter, matching } from '../../leads/stores/lead-lists.ts'
import * as leads from '../../leads/stores/leads.ts'
import { NO_TESTS } from '../../leads/stores/leads.ts'
import { IS_CURRENT } from '../../leads/stores/outcomes.ts'
import { countRows, type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import { currentRequest } from '../../platform/log.ts'
import * as suppressions from '../../privacy/stores/suppressions.ts'
import type { BulkInput } from '../../tables/column-types.ts'
import { type Row, type RowWith, readAll } from '../../tables/table.ts'
import { type Bulk, type BulkProgress, type BulkPurpose, type BulkReport, MAX_FAILURES } from '../contract/bulk.ts'
import type { Actor } from './audit-log.ts'

/** A row to act on: a lead, or a delivery to retry with its lead, if it has one. */
export type NewItem = { lead_id?: number | null; retried_job?: string }
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
  const id = String(await addAlone(trx, { name: 'bulk', purpose }))
  await trx('bulk_actions').insert({ job_id: id, actor, input: JSON.stringify(input), total: items.length })
  await trx.raw(
    `insert into bulk_items (job_id, position, lead_id, retried_job)
     select ?, position - 1, lead_id, retried_job
     from rows from (jsonb_to_recordset(?::jsonb) as (lead_id integer, retried_job uuid))
       with ordinality as item (lead_id, retried_job, position)`,
    [id, JSON.stringify(items)],
  )
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
    .leftJoin('jobs', 'jobs.id', 'retried_job')
    .where({ job_id: id, outcome: 'failed' })
    .orderBy('position')
    .limit(MAX_FAILURES)
    .select('position', 'error', 'added_jobs', 'lead_id', 'subject_kind', 'subject_id')
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
    failures: failed.map(({ position, lead_id, error, added_jobs, ...columns }) => ({
      ...{ position, lead_id, subject: subjectOf(columns), name: names.get(lead_id ?? 0) ?? null },
      error: error ?? refusal(added_jobs),
    })),
  }
}

type Start = {
  purpose: BulkPurpose
  /** The rows, in the order in which they are acted on. At least one. */
  items: NewItem[]
  providerId?: number
  outcome?: NewAnswer
  waitingAt?: number
  toClinic?: number
  delay?: number
  /** The most actions of these purposes that act at the same time, and the sentence that refuses another one. */
  limit: { of: BulkPurpose[]; most: number; sentence: string }
  /** Runs in the same transaction. */
  record?: (trx: Transaction) => Promise<void>
}

/**
 * Starts a bulk action as a job of the ledger. A worker acts on the rows as they are listed here.
 * @returns the id of the job
 * @throws AppError `rate_limited`
 */
export async function startBulk(
  db: Db,
  { purpose, items, limit, record, ...settings }: Start,
  { actor, actorId = null }: Actor,
): Promise<string> {
  return db.transaction(async (trx) => {
    await lockStarts(trx)
    if ((await countActing(trx, limit.of)) >= limit.most) {
      throw new AppError('rate_limited', limit.sentence, { retryAfterSeconds: 60 })
    }
    const { ip = null, sessionId = null } = currentRequest() ?? {}
    const id = await add(trx, { purpose, actor, items, input: { ...settings, actorId, ip, sessionId } })
    await record?.(trx)
    await changes.announce(trx, { bulk: [id] })
    return id
  })
}

/** A table for a file: the names of its columns, and its rows, which are read on demand. */
type Export<Column extends string> = {
  columns: readonly Column[]
  rows: AsyncIterable<Record<Column, string | number | null>>
}

/**
 * Returns SQL for a time as local ISO 8601 with its offset, so that the first ten characters are the day:
 * `2026-11-14T23:30:00.000-05:00`.
 */
const time = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM')`

const currentOutcome = (sql: string) =>
  `(select ${sql} from lead_outcomes where ${IS_CURRENT} order by lead_outcomes.id desc limit 1)`

const clock = (column: string) => `(select ${time(column)} from answer_clocks where answer_clocks.lead_id = leads.id)`

/** The columns of a lead: what staff see of it, and the last visit before the form. The names are those of the contract. */
const LEAD_COLUMNS = {
  id: 'id',
  created_at: time('created_at'),
  ...eachLeadField((name) => name),
  provider_id: 'provider_id',
  provider_name: '(select name from providers where providers.id = leads.provider_id)',
  matched_at: time('matched_at'),
  match_kind: 'match_kind',
  match_distance_miles: 'round(match_distance_miles::numeric, 2)::float',
  crm_sync_status: 'crm_sync_status',
  email_status: 'email_status',
  crm_external_id: 'crm_external_id',
  held_reason: 'held_reason',
  outcome: 'outcome',
  outcome_at: time('outcome_at'),
  outcome_reason: currentOutcome('reason'),
  booked_for: currentOutcome('booked_for::text'),
  outcome_value: currentOutcome('round(value_cents / 100.0, 2)::float'),
  first_answer_at: clock('answered_at'),
  answer_due_at: clock('due_at'),
  acceptance_consent: 'acceptance_consent::text',
  acceptance_message: 'acceptance_message',
  landing_page: `attribution #>> '{last,landing_page}'`,
  referrer: `attribution #>> '{last,referrer}'`,
  utm_source: `attribution #>> '{last,utm_source}'`,
  utm_medium: `attribution #>> '{last,utm_medium}'`,
  utm_campaign: `attribution #>> '{last,utm_campaign}'`,
}

/** The columns of a provider, by the names of the specification. */
const PROVIDER_COLUMNS = {
  id: 'id',
  wordpress_id: 'wordpress_id',
  name: 'name',
  practiceName: 'practice_name',
  email: 'email',
  phone: 'phone',
  address: 'address',
  zipCode: 'zip_code',
  website: 'website',
  status: `case status when 't' then 'Active' else 'Inactive' end`,
  leadCount: 'coalesce(leads, 0)::integer',
}

type LeadColumn = keyof typeof LEAD_COLUMNS | 'do_not_contact'

/**
 * Exports the leads that match, in the order of the list. `do_not_contact` says whether the person asked not to be
 * contacted.
 * @param key of the purpose `person-hash`
 */
export function exportLeads(
  db: Db,
  { sort, ...filter }: LeadExportQuery & LocalFilter,
  key: Buffer,
): Export<LeadColumn> {
  const rows = readAll<Record<keyof typeof LEAD_COLUMNS, string>>(
    db,
    (trx) => inOrder(matching(trx, filter).select(columnsOf(trx, LEAD_COLUMNS)), sort),
    filter.timeZone,
  )
  return { columns: [...keysOf(LEAD_COLUMNS), 'do_not_contact'], rows: marked() }

  async function* marked() {
    const isSuppressed = await suppressions.readAll(db, key)
    for await (const row of rows) yield { ...row, do_not_contact: String(isSuppressed(row)) }
  }
}

/** Exports all providers, or the active or the inactive ones, by name. */
export function exportProviders(db: Db, status?: 'active' | 'inactive'): Export<keyof typeof PROVIDER_COLUMNS> {
  const rows = readAll<never>(db, (trx) => {
    const counts = trx('leads')
      .select('provider_id', trx.raw('count(*) as leads'))
      .whereRaw(NO_TESTS)
      .groupBy('provider_id')
    const query = trx('providers')
      .select(columnsOf(trx, PROVIDER_COLUMNS))
      .leftJoin(counts.as('counts'), 'counts.provider_id', 'providers.id')
      .orderBy(['name', 'id'])
    return status ? query.where('status', status === 'active' ? 't' : 'f') : query
  })
  return { columns: keysOf(PROVIDER_COLUMNS), rows }
}

const columnsOf = (db: Db, columns: Record<string, string>) =>
  Object.entries(columns).map(([name, sql]) => db.raw(`${sql} as ??`, [name]))

const keysOf = <Column extends string>(columns: Record<Column, string>) => Object.keys(columns) as Column[]
