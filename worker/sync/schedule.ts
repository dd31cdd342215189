import cron from 'node-cron'
import { MINUTE } from '../../core/contract/time.ts'
import type { Env } from '../../core/env.ts'
import type { Db } from '../../core/platform/db.ts'
import type { Logger } from '../../core/platform/log.ts'
import { isOverdue } from '../../core/sync/rules/sync-approval.ts'
import { startSync } from '../../core/sync/runs.ts'
import * as syncRuns from '../../core/sync/stores/sync-runs.ts'

type Services = {
  env: Pick<Env, 'WORDPRESS_URL' | 'WORDPRESS_SYNC_CRON' | 'NETWORK_TIME_ZONE'>
  db: Db
  log: Logger
}

/** Starts the scheduled runs of the provider sync. Every worker may do so: the database takes one run for each minute. */
export function scheduleSyncs(services: Services): { stop(): Promise<void> } {
  const { WORDPRESS_URL, WORDPRESS_SYNC_CRON: schedule, NETWORK_TIME_ZONE: timezone } = services.env
  if (!WORDPRESS_URL || !schedule) return { async stop() {} }
  const tasks = [
    cron.schedule(schedule, () => startScheduled(services), { timezone }),
    cron.schedule('11 * * * *', () => warnIfOverdue(schedule, services)),
  ]
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.destroy()))
    },
  }
}

/** All workers use the same minute, so one starts it. A person starts the first sync and checks the mapping. */
async function startScheduled({ db, log }: Services): Promise<void> {
  const scheduledFor = new Date(Math.floor(Date.now() / MINUTE) * MINUTE)
  try {
    if ((await syncRuns.status(db)).lastSuccessAt === null) return
    await startSync(db, { trigger: 'schedule', actor: null, scheduledFor })
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'sync not started')
  }
}

async function warnIfOverdue(schedule: string, { env, db, log }: Services): Promise<void> {
  try {
    const { lastSuccessAt } = await syncRuns.status(db)
    if (!isOverdue(schedule, lastSuccessAt, new Date(), env.NETWORK_TIME_ZONE)) return
    log.error({ lastSuccessAt }, 'two scheduled provider syncs were missed')
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'sync schedule not checked')
  }
}
