import cron from 'node-cron'
import { type AlertEnv, raiseAlerts } from '../core/conditions/alerts.ts'
import { noteQuiet } from '../core/conditions/conditions.ts'
import { SendingId } from '../core/conditions/contract/integrations.ts'
import { MINUTE } from '../core/contract/time.ts'
import { watchSending } from '../core/deliveries/pause-sending.ts'
import * as dueJobs from '../core/deliveries/stores/attempts.ts'
import type { Env } from '../core/env.ts'
import { addWeeklyReport, type ReportEnv } from '../core/insight/stores/reports.ts'
import { advanceClocks, type ClockSettings } from '../core/leads/advance-clocks.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import * as erasures from '../core/privacy/stores/erasures.ts'
import { fetchPictures } from './pictures.ts'

/** In milliseconds: an enqueued job that is not settled after this time counts as lost by the queue. */
const SWEEP_AFTER = 5 * MINUTE

type ScheduleEnv = ClockEnv & ReportEnv & AlertEnv
type ClockEnv = Pick<
  Env,
  | 'CLINIC_HOURS'
  | 'NETWORK_TIME_ZONE'
  | 'ANSWER_HOURS'
  | 'PASS_ON'
  | 'VISITOR_QUESTION'
  | 'MATCH_RADIUS_MILES'
  | 'DATA_KEY'
>

/** A scheduled task. `run` returns the number of changed items, for the log. */
type Task = [expression: string, name: string, run: () => Promise<number>]

/** Starts the scheduled tasks. Every worker may run them: each task is idempotent. */
export function startSchedule(db: Db, env: ScheduleEnv, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const tasks = scheduledTasks(db, env, { log, signal: stopping.signal }).map(([expression, name, run]) =>
    cron.schedule(
      expression,
      async () => {
        try {
          const count = await run()
          if (count > 0) log.info({ task: name, count }, 'schedule')
        } catch (error) {
          log.warn({ task: name, reason: (error as Error).message }, 'schedule')
        }
      },
      { noOverlap: true },
    ),
  )
  return {
    async stop() {
      stopping.abort()
      await Promise.all(tasks.map((task) => task.destroy()))
    },
  }
}

/** `signal` ends tasks that call other servers. */
export function scheduledTasks(
  db: Db,
  env: ScheduleEnv,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Task[] {
  const trustedOrigin = env.WORDPRESS_URL && new URL(env.WORDPRESS_URL).origin
  const watchAll = async () => {
    let changed = 0
    for (const integration of SendingId.options) changed += Number(await watchSending(db, integration, log))
    return changed
  }

  return [
    ['* * * * *', 'sweep', () => dueJobs.sweep(db, SWEEP_AFTER)],
    ['*/10 * * * * *', 'watch-sending', watchAll],
    ['*/5 * * * * *', 'answer-clocks', () => advanceClocks(db, clockSettings(env))],
    ['* * * * *', 'reports', async () => Number(await addWeeklyReport(db, env))],
    ['* * * * *', 'alerts', () => raiseAlerts(db, env)],
    ['* * * * *', 'note-quiet', async () => Number(await noteQuiet(db, env))],
    ['*/20 * * * * *', 'fetch-pictures', () => fetchPictures(db, { trustedOrigin, signal })],
    // Each hour, for a worker that did not run at night.
    ['37 * * * *', 'purge', async () => Number(await erasures.addNightly(db, env.NETWORK_TIME_ZONE))],
  ]
}

function clockSettings(env: ClockEnv): ClockSettings {
  return {
    usual: { hours: env.CLINIC_HOURS, timeZone: env.NETWORK_TIME_ZONE, answerHours: env.ANSWER_HOURS },
    passOn: env.PASS_ON,
    asksVisitor: env.VISITOR_QUESTION === 'on',
    radiusMiles: env.MATCH_RADIUS_MILES,
    personKey: deriveKey(env.DATA_KEY, 'person-hash'),
  }
}
