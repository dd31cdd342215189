import type { Knex } from 'knex'
import { eachLeadField } from '../../contract/forms.ts'
import { MINUTE } from '../../contract/time.ts'
import type { JobState } from '../../deliveries/contract/jobs.ts'
import { subjectOf } from '../../deliveries/jobs.ts'
import { outcomesOf } from '../../deliveries/stores/failed-jobs.ts'
import { addAlone, OPEN } from '../../deliveries/stores/jobs.ts'
import { rateLimited } from '../../errors.ts'
import type { LeadExportQuery } from '../../leads/contract/leads.ts'
import { inOrder, type LocalFilter, matching } from '../../leads/stores/lead-lists.ts'
import * as leads from '../../leads/stores/leads.ts'
import { NO_TESTS } from '../../leads/stores/leads.ts'
import { IS_CURRENT } from '../../leads/stores/outcomes.ts'
import { countRows, type Db, only, type Transaction } from '../../platform/db.ts'
import { currentRequest } from '../../platform/log.ts'
import * as suppressions from '../../privacy/stores/suppressions.ts'
import type { BulkInput } from '../../tables/column-types.ts'
import { type Row, type RowWith, readAll } from '../../tables/table.ts'
import { type Bulk, type BulkPurpose, type BulkReport, MAX_FAILURES } from '../contract/bulk.ts'
import type { Actor } from './audit-log.ts'

/** A row to act on: a lead, or a delivery to retry with its lead, if it has one. */
type NewItem = { lead_id?: number | null; retried_job?: string }
export type Item = RowWith<'bulk_items', 'position' | 'lead_id' | 'retried_job'>
/** The act on a row: its outcome, or the ids of added deliveries, whose first attempts decide it. */
export type Act = { outcome: 'succeeded' | 'failed'; error: string | null } | { added: string[] }
/** The bulk action of a job, for its handler. */
export type BulkRow = Pick<Row<'bulk_actions'>, 'actor' | 'input'>

type Start = Pick<BulkInput, 'providerId' | 'outcome' | 'work' | 'waitingAt' | 'toClinic' | 'delay'> & {
  purpose: BulkPurpose
  /** The rows, in the order in which they are acted on. At least one. */
  items: NewItem[]
  /** The most actions of these purposes that act at the same time, and the sentence that refuses another one. */
  limit: { of: BulkPurpose[]; most: number; sentence: string }
  /** Runs in the same transaction. */
  record?: (trx: Transaction) => Promise<void>
}

/**
 * Starts a bulk action as a job of the ledger. A worker acts on the rows as they are listed here. Starts wait for each other,
 * so that they can count what acts.
 * @returns the id of the job
 * @throws AppError `rate_limited`
 */
export async function startBulk(
  db: Db,
  { purpose, items, limit, record, ...settings }: Start,
  { actor, actorId = null }: Actor,
): Promise<string> {
  return db.transaction(async (trx) => {
    await trx.raw(`select pg_advisory_xact_lock(hashtext('bulk_actions'))`)
    const acting = trx('jobs')
      .where({ name: 'bulk' })
      .whereIn('purpose', limit.of)
      .whereIn('state', OPEN)
      .whereExists(trx('bulk_items').select(trx.raw('1')).whereRaw('job_id = jobs.id and acted_at is null'))
    if ((await countRows(acting)) >= limit.most) throw rateLimited(limit.sentence, MINUTE)
    const { ip = null, sessionId = null } = currentRequest() ?? {}
    const input = JSON.stringify({ ...settings, actorId, ip, sessionId })
    const id = String(await addAlone(trx, { name: 'bulk', purpose }))
    await trx('bulk_actions').insert({ job_id: id, actor, input, total: items.length })
    await trx.raw(
      `insert into bulk_items (job_id, position, lead_id, retried_job)
       select ?, position - 1, lead_id, retried_job
       from rows from (jsonb_to_recordset(?::jsonb) as (lead_id integer, retried_job uuid))
         with ordinality as item (lead_id, retried_job, position)`,
      [id, JSON.stringify(items)],
    )
    await record?.(trx)
    return id
  })
}

export async function find(db: Db, id: string): Promise<BulkRow | null> {
  return (await db('bulk_actions').where({ job_id: id }).first('actor', 'input')) ?? null
}

/** Locks the first row that no act has reached, except those at `skipped` positions. Waits for another worker that holds it. */
export async function lockNext(trx: Transaction, id: string, skipped: number[]): Promise<Item | undefined> {
  return trx('bulk_items')
    .where({ job_id: id, acted_at: null })
    .whereNotIn('position', skipped)
    .orderBy('position')
    .forUpdate()
    .first('position', 'lead_id', 'retried_job')
}

/** Records the act on a row, in its transaction. */
export async function recordAct(trx: Db, id: string, position: number, act: Act): Promise<void> {
  const outcome = 'added' in act ? { added_jobs: act.added } : act
  await trx('bulk_items')
    .where({ job_id: id, position, acted_at: null })
    .update({ ...outcome, acted_at: trx.fn.now() })
}

/** Lists the positions of the rows whose deliveries decide their outcomes, with the ids of the deliveries. */
export async function listAwaited(db: Db, id: string): Promise<[position: number, jobs: string[]][]> {
  const awaited = db('bulk_items').where({ job_id: id, outcome: null }).whereNotNull('acted_at')
  return (await awaited.select('position', 'added_jobs')).map(({ position, added_jobs }) => [position, added_jobs])
}

/**
 * Records the outcomes of rows whose deliveries were awaited, and a sign of life: a long action is neither late nor lost by
 * the queue as long as it makes progress.
 */
export async function recordProgress(db: Db, id: string, outcomes: { position: number; outcome: string }[]) {
  if (outcomes.length > 0) {
    await db.raw(
      `update bulk_items set outcome = ended.outcome
       from jsonb_to_recordset(?::jsonb) as ended (position integer, outcome text)
       where job_id = ? and bulk_items.position = ended.position and bulk_items.outcome is null`,
      [JSON.stringify(outcomes), id],
    )
  }
  const now = db.fn.now()
  await db('jobs').where({ id }).whereIn('state', OPEN).update({ next_attempt_at: now, enqueued_at: now })
}

type Counts = Omit<BulkReport, 'failures'>

export async function count(db: Db, id: string): Promise<Counts> {
  const of = (outcome: keyof Counts) => `(count(*) filter (where outcome = '${outcome}'))::integer as ${outcome}`
  const columns = [of('succeeded'), of('failed'), of('waiting')].map((sql) => db.raw(sql))
  return only(await db('bulk_items').where({ job_id: id }).select<Counts[]>(columns))
}

/** Reads a bulk action, with its report once it is done. */
export async function read(db: Db, id: string): Promise<Bulk | null> {
  const [bulk] = await list(db, (query) => query.where('jobs.id', id))
  return bulk?.state === 'done' ? { ...bulk, report: await readReport(db, id) } : (bulk ?? null)
}

/** Lists the bulk actions of an actor that are not done, the newest first. */
export async function listRunning(db: Db, actor: string): Promise<Bulk[]> {
  return list(db, (query) => query.where({ actor }).whereIn('state', OPEN))
}

async function list(db: Db, narrow: (query: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<Bulk[]> {
  const query = db('bulk_actions').join('jobs', 'jobs.id', 'job_id').orderBy('bulk_actions.created_at', 'desc')
  const rows: { id: string; purpose: BulkPurpose; state: JobState; total: number }[] = await narrow(query).select(
    ...['jobs.id', 'purpose', 'state', 'total'],
  )
  return Promise.all(
    rows.map(async ({ id, purpose, state, total }) => {
      const { succeeded, failed, waiting } = await count(db, id)
      const progress = { done: succeeded + failed + waiting, total, failed }
      return {
        id,
        action: purpose,
        state: state === 'done' || state === 'failed' ? state : 'running',
        progress,
        report: null,
      }
    }),
  )
}

async function readReport(db: Db, id: string): Promise<BulkReport> {
  const failed = await db('bulk_items')
    .leftJoin('jobs', 'jobs.id', 'retried_job')
    .where({ job_id: id, outcome: 'failed' })
    .orderBy('position')
    .limit(MAX_FAILURES)
    .select('position', 'error', 'added_jobs', 'lead_id', 'subject_kind', 'subject_id')
  // Read now and never stored here: a person who asked to be forgotten is forgotten here, too.
  const names = await leads.listNames(
    db,
    failed.flatMap(({ lead_id }) => lead_id ?? []),
  )
  const refusals = new Map(
    await outcomesOf(
      db,
      failed.map(({ position, added_jobs }) => [position, added_jobs]),
    ),
  )
  return {
    ...(await count(db, id)),
    failures: failed.map(({ position, lead_id, error, added_jobs: _, ...columns }) => {
      const refusal = refusals.get(position)
      return {
        ...{ position, lead_id, subject: subjectOf(columns), name: names.get(lead_id ?? 0) ?? null },
        error: error ?? (refusal?.state === 'refused' ? refusal.error : 'It failed.'),
      }
    }),
  }
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
