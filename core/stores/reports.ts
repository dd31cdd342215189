import type { ReportEmailPurpose } from '../contract/jobs.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import { traceParent } from '../platform/trace.ts'
import type { Period } from '../rules/periods.ts'
import { JOBS_CHANNEL } from './jobs.ts'

/**
 * A report to the team (`provider_id` is null) or to a clinic. The figures are read when it is sent; the row says which
 * period they are of, and makes sure that there is one report for it. It owns the jobs that send it.
 */
export type Report = { id: number; kind: ReportEmailPurpose; period: Period; providerId: number | null }

/** Returns whether there is a report of this kind for the period. */
export async function exists(db: Db, kind: ReportEmailPurpose, { from }: Period): Promise<boolean> {
  const found = await db('reports').where({ kind }).whereRaw('first_day = cast(? as date)', [from]).first('id')
  return found !== undefined
}

/**
 * Adds a report for each of these clinics, or for the team (null), with the job that sends it, to be attempted now. Of any
 * number of processes that do so at the same time, one adds it.
 * @returns the number of added reports
 */
export async function add(
  trx: Transaction,
  kind: ReportEmailPurpose,
  { from, to }: Period,
  recipients: (number | null)[],
): Promise<number> {
  const added = await queryRows<{ id: string }>(
    trx,
    `with report as (
       insert into reports (kind, first_day, last_day, provider_id)
       select :kind, cast(:from as date), cast(:to as date), provider_id
       from unnest(cast(:recipients as integer[])) as provider_id
       on conflict do nothing returning id
     )
     insert into jobs (name, purpose, report_id, trace_parent)
     select 'send-email', :kind, id, :trace from report returning id`,
    { kind, from, to, recipients, trace: traceParent() },
  )
  if (added.length > 0) await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
  return added.length
}

/** Finds a report. */
export async function find(db: Db, id: number): Promise<Report | null> {
  const [row] = await queryRows<Omit<Report, 'period'> & Period>(
    db,
    `select id, kind, first_day::text as "from", last_day::text as "to", provider_id as "providerId"
     from reports where id = ?`,
    [id],
  )
  if (!row) return null
  const { from, to, ...report } = row
  return { ...report, period: { from, to } }
}

/** Locks a report. Returns whether it is there. */
export async function lock(trx: Transaction, id: number): Promise<boolean> {
  return (await trx('reports').where({ id }).forNoKeyUpdate().first('id')) !== undefined
}

type Days = Period & { timeZone: string }

/** Returns whether a lead has come before the end of a period. */
export async function hasLeads(db: Db, { to, timeZone }: Days): Promise<boolean> {
  const found = await queryRows(
    db,
    'select from leads where not is_test and created_at < start_of_day(cast(:to as date) + 1, :timeZone) limit 1',
    { to, timeZone },
  )
  return found.length > 0
}

/** Lists the active clinics that got a request in a period, have it now, and want scorecards. */
export async function listClinics(db: Db, { from, to, timeZone }: Days): Promise<number[]> {
  const rows = await queryRows<{ id: number }>(
    db,
    `select distinct provider_id as id from leads
     join providers on providers.id = leads.provider_id
     left join provider_rules using (provider_id)
     where leads.created_at >= start_of_day(cast(:from as date), :timeZone)
       and leads.created_at < start_of_day(cast(:to as date) + 1, :timeZone)
       and held_reason is null and not is_test and status = 't' and coalesce(gets_scorecard, true)
     order by id`,
    { from, to, timeZone },
  )
  return rows.map(({ id }) => id)
}

/** Returns whether a clinic wants scorecards. */
export async function isWanted(db: Db, providerId: number): Promise<boolean> {
  const rules = await db('provider_rules').where({ provider_id: providerId }).first('gets_scorecard')
  return rules?.gets_scorecard ?? true
}
