import type { ReportEmailPurpose } from '../contract/jobs.ts'
import type { Env } from '../env.ts'
import type { Db } from '../platform/db.ts'
import type { Period } from '../rules/periods.ts'
import { dueMonth, dueWeek } from '../rules/reports.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as reports from '../stores/reports.ts'

export type ReportEnv = Pick<Env, 'NETWORK_TIME_ZONE' | 'WEEKLY_REPORT' | 'CLINIC_SCORECARDS'>

/**
 * Adds the reports that are due and not there yet: that of the last week to the team, and those of the last month to the
 * clinics. All of a kind are added in one transaction with their jobs, so that each is sent once, whatever is killed.
 * @returns the number of added reports
 */
export async function addReports(db: Db, env: ReportEnv, now = new Date()): Promise<number> {
  const timeZone = env.NETWORK_TIME_ZONE
  const week = env.WEEKLY_REPORT === 'on' ? dueWeek(now, timeZone) : null
  const month = env.CLINIC_SCORECARDS === 'on' ? dueMonth(now, timeZone) : null
  let count = 0
  if (week && !(await reports.exists(db, 'weekly_report', week))) {
    // A new installation has nothing to tell.
    const recipients = (await reports.hasLeads(db, { ...week, timeZone })) ? [null] : []
    count += await add(db, 'weekly_report', week, recipients)
  }
  if (month && !(await reports.exists(db, 'scorecard', month))) {
    count += await add(db, 'scorecard', month, await reports.listClinics(db, { ...month, timeZone }))
  }
  return count
}

async function add(db: Db, kind: ReportEmailPurpose, period: Period, recipients: (number | null)[]): Promise<number> {
  if (recipients.length === 0) return 0
  return db.transaction(async (trx) => {
    const count = await reports.add(trx, kind, period, recipients)
    if (count === 0) return 0
    await auditLog.record(trx, {
      ...{ actor: 'system', action: 'send-report', entity: 'network', entityId: 'all' },
      details: { report: kind, ...period, count },
    })
    return count
  })
}
