import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import { traceParent } from '../platform/trace.ts'
import type { Period } from '../rules/periods.ts'
import { JOBS_CHANNEL } from './jobs.ts'

/**
 * A weekly report to the team. The figures are read when it is sent; the row says which week they are of, and makes sure that
 * there is one report for it. It owns the jobs that send it.
 */
export type Report = { id: number; period: Period }

/** Returns whether there is a report for the week. */
export async function exists(db: Db, { from }: Period): Promise<boolean> {
  return (await db('reports').whereRaw('first_day = cast(? as date)', [from]).first('id')) !== undefined
}

/**
 * Adds a report, with the job that sends it, to be attempted now. Of any number of processes that do so at the same time, one
 * adds it.
 * @returns whether it was added
 */
export async function add(trx: Transaction, { from, to }: Period): Promise<boolean> {
  const added = await queryRows<{ id: string }>(
    trx,
    `with report as (
       insert into reports (first_day, last_day) values (cast(:from as date), cast(:to as date))
       on conflict do nothing returning id
     )
     insert into jobs (name, purpose, report_id, trace_parent)
     select 'send-email', 'weekly_report', id, :trace from report returning id`,
    { from, to, trace: traceParent() },
  )
  if (added.length > 0) await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
  return added.length > 0
}

/** Finds a report. */
export async function find(db: Db, id: number): Promise<Report | null> {
  const [period] = await queryRows<Period>(
    db,
    'select first_day::text as "from", last_day::text as "to" from reports where id = ?',
    [id],
  )
  return period ? { id, period } : null
}

/** Locks a report. Returns whether it is there. */
export async function lock(trx: Transaction, id: number): Promise<boolean> {
  return (await trx('reports').where({ id }).forNoKeyUpdate().first('id')) !== undefined
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
