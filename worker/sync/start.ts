import cron from 'node-cron'
import { claimSync } from '../../core/commands/sync/claim-sync.ts'
import { startSync } from '../../core/commands/sync/start-sync.ts'
import type { Env } from '../../core/env.ts'
import { listen } from '../../core/platform/listen.ts'
import { isOverdue } from '../../core/rules/sync-schedule.ts'
import * as syncRuns from '../../core/stores/sync-runs.ts'
import { MINUTE } from '../../core/time.ts'
import { performRun, type SyncServices } from './run.ts'

type ScheduleServices = SyncServices & { env: Pick<Env, 'NETWORK_TIME_ZONE'> }

/**
 * Performs runs of the provider sync one after the other, and starts the scheduled ones. Every worker may do so: the
 * database gives each run to one of them.
 */
export function startSyncs(services: ScheduleServices): { stop(): Promise<void> } {
  const { env, db, log } = services
  const stopped = new AbortController()
  let working: Promise<void> | undefined
  let isWoken = false

  const work = async () => {
    while (isWoken && !stopped.signal.aborted) {
      isWoken = false
      const run = await claimSync(db)
      if (!run) continue
      isWoken = true
      await performRun(run, services, stopped.signal)
    }
  }
  const wake = () => {
    isWoken = true
    working ??= work()
      // Retried every few seconds. Other parts report an unavailable database.
      .catch((error: Error) => log.debug({ reason: error.message }, 'sync not begun'))
      .finally(() => {
        working = undefined
      })
  }

  const stopListening = listen(env.DATABASE_URL, {
    channels: { [syncRuns.SYNCS_CHANNEL]: wake },
    onListening: wake,
    log,
  })
  // Finds runs of workers that died, and missed notifications.
  const tasks = [cron.schedule('*/5 * * * * *', wake)]
  if (env.WORDPRESS_URL && env.WORDPRESS_SYNC_CRON) {
    const schedule = env.WORDPRESS_SYNC_CRON
    tasks.push(cron.schedule(schedule, () => startScheduled(services), { timezone: env.NETWORK_TIME_ZONE }))
    tasks.push(cron.schedule('11 * * * *', () => warnIfOverdue(schedule, services)))
  }

  return {
    async stop() {
      stopped.abort()
      await Promise.all(tasks.map((task) => task.destroy()))
      await stopListening()
      await working
    },
  }
}

/**
 * Starts the scheduled run. All workers use the same minute, so only one of them starts it. The first sync of all is
 * started by a person, because the mapping's result must be checked before it creates providers.
 */
async function startScheduled({ db, log }: SyncServices): Promise<void> {
  const scheduledFor = new Date(Math.floor(Date.now() / MINUTE) * MINUTE)
  try {
    if ((await syncRuns.status(db)).lastSuccessAt === null) return
    await startSync(db, { trigger: 'schedule', actor: null, scheduledFor })
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'sync not started')
  }
}

async function warnIfOverdue(schedule: string, { env, db, log }: ScheduleServices): Promise<void> {
  try {
    const { lastSuccessAt } = await syncRuns.status(db)
    if (!isOverdue(schedule, lastSuccessAt, new Date(), env.NETWORK_TIME_ZONE)) return
    const what = lastSuccessAt
      ? 'two scheduled provider syncs were missed'
      : 'the providers have never been synced: the schedule starts after the first manual sync'
    log.error({ lastSuccessAt }, what)
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'sync not looked at')
  }
}
