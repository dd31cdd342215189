import { wakeRelay } from '../../deliveries/stores/jobs.ts'
import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import { traceParent } from '../../platform/trace.ts'
import { addDays, type Period } from '../rules/periods.ts'

/** A weekly report to the team. The figures are read when it is sent. It is only known by its jobs. */
export type Report = { id: number; period: Period }

/** Returns whether there is a report for the week. */
export async function exists(db: Db, { from }: Period): Promise<boolean> {
  return (await db('jobs').where('report_id', idOf(from)).first('id')) !== undefined
}

/**
 * Adds a report, with the job that sends it, to be attempted now. Of any number of processes that do so at the same time, one
 * adds it.
 * @returns whether it was added
 */
export async function add(trx: Transaction, { from }: Period): Promise<boolean> {
  const added = await queryRows<{ id: string }>(
    trx,
    `insert into jobs (name, purpose, report_id, trace_parent)
     values ('send-email', 'weekly_report', :id, :trace) on conflict do nothing returning id`,
    { id: idOf(from), trace: traceParent() },
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
  const first = trx('jobs').where({ report_id: id, generation: 1 })
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
