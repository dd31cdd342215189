import type { Env } from '../env.ts'
import type { Db } from '../platform/db.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { dueWeek } from './rules/overview.ts'
import * as overview from './stores/overview.ts'

export type ReportEnv = Pick<Env, 'NETWORK_TIME_ZONE'>

/**
 * Adds the report of the last week to the team, if it is due and not there yet, in one transaction with its job, so that it is
 * sent once, whatever is killed. A new installation has nothing to tell.
 * @returns whether it was added
 */
export async function addWeeklyReport(db: Db, env: ReportEnv, now = new Date()): Promise<boolean> {
  const timeZone = env.NETWORK_TIME_ZONE
  const week = dueWeek(now, timeZone)
  if (!week || (await overview.exists(db, week)) || !(await overview.hasLeads(db, { ...week, timeZone }))) return false
  return db.transaction(async (trx) => {
    if (!(await overview.add(trx, week))) return false
    await auditLog.record(trx, {
      ...{ actor: 'system', action: 'send-report', entity: 'network', entityId: 'all' },
      details: { report: 'weekly_report', ...week },
    })
    return true
  })
}
