import cron from 'node-cron'
import * as syncWork from '../../core/commands/sync-work.ts'
import type { Env } from '../../core/env.ts'
import { listen } from '../../core/platform/listen.ts'
import { isOverdue } from '../../core/rules/sync-schedule.ts'
import * as syncRuns from '../../core/stores/sync-runs.ts'
import { MINUTE } from '../../core/time.ts'
import { performRun, type SyncServices } from './run.ts'

type ScheduleServices = SyncServices & { env: Pick<Env, 'NETWORK_TIME_ZONE'> }

/**
 * Does the runs of the provider sync as they come, one after the other, and starts those of the schedule. Every worker may
 * do so: the database lets one of them have each run.
 */
export function startSyncs(services: ScheduleServices): { stop(): Promise<void> } {
  const { env, db, log } = services
  const stopped = new AbortController()
  let working: Promise<void> | undefined
  let isWoken = false

  const work = async () => {
    while (isWoken && !stopped.signal.aborted) {
      isWoken = false
      const run = await syncWork.claim(db)
      if (!run) continue
      isWoken = true
      await performRun(run, services, stopped.signal)
    }
  }
  const wake = () => {
    isWoken = true
    working ??= work()
      // A database that is away is tried every few seconds, and others say so.
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
  // What a worker that died has left, and what was not heard.
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
 * The minute is the same by every worker's clock, so that one of them starts the run. The first sync is a person's: what
 * the mapping makes of the posts should be looked at before it makes providers.
 */
async function startScheduled({ db, log }: SyncServices): Promise<void> {
  const scheduledFor = new Date(Math.floor(Date.now() / MINUTE) * MINUTE)
  try {
    if ((await syncRuns.standing(db)).lastSuccessAt === null) return
    await syncRuns.start(db, { trigger: 'schedule', actor: null, scheduledFor })
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'sync not started')
  }
}

async function warnIfOverdue(schedule: string, { env, db, log }: ScheduleServices): Promise<void> {
  try {
    const { lastSuccessAt } = await syncRuns.standing(db)
    if (!isOverdue(schedule, lastSuccessAt, new Date(), env.NETWORK_TIME_ZONE)) return
    const what = lastSuccessAt
      ? 'two scheduled provider syncs were missed'
      : 'the providers have never been synced: the schedule starts after the first manual sync'
    log.error({ lastSuccessAt }, what)
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'sync not looked at')
  }
}
