import type { Env } from '../env.ts'
import type { Db } from '../platform/db.ts'
import type { SyncStatus } from './contract/sync.ts'
import { isOverdue, nextTime } from './rules/sync-schedule.ts'
import * as syncRuns from './stores/sync-runs.ts'

export type SyncEnv = Pick<Env, 'WORDPRESS_URL' | 'WORDPRESS_SYNC_CRON' | 'NETWORK_TIME_ZONE'>

/** Reads the state of the provider sync. */
export async function readSyncStatus(db: Db, env: SyncEnv): Promise<SyncStatus> {
  const { current, lastSuccessAt, needsApproval } = await syncRuns.status(db)
  const schedule = env.WORDPRESS_URL ? (env.WORDPRESS_SYNC_CRON ?? null) : null
  return {
    is_configured: env.WORDPRESS_URL !== undefined,
    schedule,
    next_at: schedule && lastSuccessAt ? nextTime(schedule, new Date(), env.NETWORK_TIME_ZONE).toISOString() : null,
    current,
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    is_overdue: schedule !== null && isOverdue(schedule, lastSuccessAt, new Date(), env.NETWORK_TIME_ZONE),
    needs_approval: needsApproval,
  }
}
