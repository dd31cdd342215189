import { randomUUID } from 'node:crypto'
import * as health from '../core/conditions/stores/health.ts'
import { JobName } from '../core/deliveries/contract/jobs.ts'
import { readWorkerEnv } from '../core/env.ts'
import { createBatcher, openDb } from '../core/platform/db.ts'
import { createLog } from '../core/platform/log.ts'
import { guardDatabase } from '../core/platform/migrations.ts'
import { onStopSignal, refuseCluster, serveMetrics } from '../core/platform/process.ts'
import { openQueues, startQueueWorker } from '../core/platform/queue.ts'
import { SettingsError } from '../core/settings/read-settings.ts'
import { createAnnouncer } from './announcer.ts'
import { createAttempts } from './attempt.ts'
import { scheduleOutcomes } from './outcomes.ts'
import { startSchedule } from './schedule.ts'
import { createCrmSender } from './senders/crm.ts'
import { createMailer } from './senders/mailer.ts'
import { scheduleSyncs } from './sync/schedule.ts'
import { startWatchdog } from './watchdog.ts'

/** In milliseconds: how long a job waits for others, so that they begin in one statement. */
const BEGIN_LINGER = 10
/** The exit code that asks the supervisor for a restart (EX_TEMPFAIL of sysexits.h). */
const START_AGAIN = 75

try {
  const env = readWorkerEnv()
  const log = createLog('worker', env.LOG_LEVEL)
  // First, because these may refuse a setting: nothing that keeps the process alive may run before.
  const mailer = createMailer(env)
  const crm = createCrmSender(env)

  const db = openDb(env.DATABASE_URL, { name: 'leadwell-worker', onConnect: guardDatabase(env.DATA_KEY) })
  // Before anything runs. A database that is away is compared when it comes.
  await db.raw('select 1').catch(() => {})
  await refuseCluster(env)
  const stopMetrics = serveMetrics(env, log)
  const stopping = new AbortController()
  const attempt = createAttempts({ env, db, log, mailer, crm, stopping: stopping.signal }, log)

  const announcer = createAnnouncer(db, log)
  const schedule = startSchedule(db, env, log)
  const syncs = scheduleSyncs({ env, db, log })
  const outcomes = scheduleOutcomes({ env, db, log, crm, mailer })
  const workers = JobName.options.map((name) => {
    const attemptAll = async (ids: string[]) => (await attempt(ids)).map((end) => end.then(announcer.add))
    return startQueueWorker(env, name, createBatcher(attemptAll, { linger: BEGIN_LINGER, atOnce: 2 }), log)
  })
  const queues = openQueues(env, log)
  const workerId = randomUUID()
  const { hostname, port, protocol } = new URL(env.SMTP_URL)
  const settings: health.WorkerSettings = {
    mail: {
      server: `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`,
      from: env.MAIL_FROM,
      team: env.TEAM_EMAIL,
    },
    crm: { kind: env.CRM_KIND, host: crm?.host ?? null },
  }
  const logFailure = (error: Error) => log.warn({ reason: error.message }, 'heartbeat not written')
  const exit = onStopSignal(log, async () => {
    watchdog.stop()
    mailer.stop()
    stopping.abort()
    await Promise.all([schedule.stop(), syncs.stop(), outcomes.stop()])
    await Promise.all(workers.map((worker) => worker.close()))
    mailer.close()
    crm?.close?.()
    await announcer.stop()
    await stopMetrics()
    await queues.close()
    await health.stop(db, workerId).catch(logFailure)
    await db.destroy()
  })
  const watchdog = startWatchdog({
    workers,
    queues,
    log,
    onStuck: () => exit(START_AGAIN),
    healthFile: env.NODE_ENV === 'production' ? '/tmp/leadwell-worker' : undefined,
    beat: () => health.beat(db, workerId, settings).catch(logFailure),
  })

  await Promise.all(workers.map((worker) => worker.waitUntilReady()))
  log.info('worker ready')
  process.send?.('ready')
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
