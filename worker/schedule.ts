import cron from 'node-cron'
import type { Db } from '../core/db.ts'
import type { Logger } from '../core/log.ts'
import * as jobs from '../core/stores/jobs.ts'
import * as staffSessions from '../core/stores/staff-sessions.ts'
import { MINUTE } from '../core/time.ts'

/** After this long, in milliseconds, an enqueued job that is not settled is taken for lost by the queue. */
const SWEEP_AFTER = 5 * MINUTE

/** Starts what happens by the clock. Every worker may run it: each task does the same whoever does it, and how often. */
export function startSchedule(db: Db, log: Logger): { stop(): Promise<void> } {
  const every = (expression: string, name: string, task: () => Promise<number>) =>
    cron.schedule(
      expression,
      async () => {
        try {
          const count = await task()
          if (count > 0) log.info({ task: name, count }, 'schedule')
        } catch (error) {
          log.warn({ task: name, reason: (error as Error).message }, 'schedule')
        }
      },
      { noOverlap: true },
    )

  const tasks = [
    every('* * * * *', 'sweep', () => jobs.sweep(db, SWEEP_AFTER)),
    every('17 * * * *', 'purge-sessions', () => staffSessions.purge(db)),
  ]
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.destroy()))
    },
  }
}
