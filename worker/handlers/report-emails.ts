import type { NetworkFigures } from '../../core/contract/provider-record.ts'
import { clinicFigures } from '../../core/rules/clinic-figures.ts'
import { type Period, periodBefore } from '../../core/rules/periods.ts'
import * as clinicRequests from '../../core/stores/clinic-requests.ts'
import * as funnel from '../../core/stores/funnel.ts'
import * as leadLists from '../../core/stores/lead-lists.ts'
import * as overview from '../../core/stores/overview.ts'
import * as providerRecord from '../../core/stores/provider-record.ts'
import * as providers from '../../core/stores/providers.ts'
import * as reports from '../../core/stores/reports.ts'
import { NotNeeded } from '../delivery-error.ts'
import { type Composed, composeScorecard, composeWeeklyReport } from '../emails/compose.ts'
import type { ReportTask, WorkerServices } from './handler.ts'

/** Reads the medians of the network for a month. */
type ReadNetwork = (month: Period) => Promise<NetworkFigures>

/** Returns a function that reads the medians of each month once, because that takes every lead of the month. */
export function networkReader({ db, env }: WorkerServices): ReadNetwork {
  const read = new Map<string, Promise<NetworkFigures>>()
  return (month) => {
    const reading =
      read.get(month.from) ?? providerRecord.readPastNetwork(db, { ...month, timeZone: env.NETWORK_TIME_ZONE })
    read.set(month.from, reading)
    return reading
  }
}

/** Reads the figures of a report as they are now, and composes its e-mail. @throws NotNeeded */
export async function readReport(
  { row: { kind, period, providerId } }: ReportTask,
  readNetwork: ReadNetwork,
  services: WorkerServices,
): Promise<Composed> {
  if (kind === 'weekly_report' || providerId === null) return weeklyReport(period, services)
  return scorecard(providerId, period, readNetwork, services)
}

async function weeklyReport(week: Period, { db, env }: WorkerServices): Promise<Composed> {
  const local = { ...week, timeZone: env.NETWORK_TIME_ZONE }
  const before = { ...periodBefore(week), timeZone: env.NETWORK_TIME_ZONE }
  // One after the other: a report is never urgent, and each reads all leads of a week.
  const found = await funnel.read(db, local)
  const { totals, deliveries } = await overview.read(db, local)
  const { totals: totalsBefore } = await overview.read(db, before)
  const late = await leadLists.count(db, { ...local, late: true })
  return composeWeeklyReport({ funnel: found, totals: { now: totals, before: totalsBefore }, deliveries, late, env })
}

async function scorecard(providerId: number, month: Period, readNetwork: ReadNetwork, { db, env }: WorkerServices) {
  const clinic = await providers.find(db, providerId)
  if (clinic?.status !== 't') throw new NotNeeded('The clinic is not active any more.')
  if (!(await reports.isWanted(db, providerId))) throw new NotNeeded('The clinic gets no scorecards any more.')
  const figures = await providerRecord.readPastFigures(db, providerId, { ...month, timeZone: env.NETWORK_TIME_ZONE })
  if (figures.requests === 0) throw new NotNeeded('The clinic has no request of this month any more.')
  const { answer_time: answerTime } = clinicFigures(figures, await readNetwork(month))
  const waiting = await clinicRequests.countOpen(db, providerId)
  return composeScorecard({ clinic, month, figures, answerTime, waiting, env })
}
