import { periodBefore } from '../../core/rules/periods.ts'
import * as funnel from '../../core/stores/funnel.ts'
import * as leadLists from '../../core/stores/lead-lists.ts'
import * as overview from '../../core/stores/overview.ts'
import { type Composed, composeWeeklyReport } from '../emails/compose.ts'
import type { ReportTask, WorkerServices } from './handler.ts'

/** Reads the figures of a week as they are now, and composes its report to the team. */
export async function readReport(
  { row: { period: week } }: ReportTask,
  { db, env }: WorkerServices,
): Promise<Composed> {
  const local = { ...week, timeZone: env.NETWORK_TIME_ZONE }
  const before = { ...periodBefore(week), timeZone: env.NETWORK_TIME_ZONE }
  // One after the other: a report is never urgent, and each reads all leads of a week.
  const found = await funnel.read(db, local)
  const { totals, deliveries } = await overview.read(db, local)
  const { totals: totalsBefore } = await overview.read(db, before)
  const late = await leadLists.count(db, { ...local, late: true })
  return composeWeeklyReport({ funnel: found, totals: { now: totals, before: totalsBefore }, deliveries, late, env })
}
