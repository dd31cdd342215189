import { JobName } from '../core/contract/jobs.ts'
import { readWorkerEnv } from '../core/env.ts'
import { openDb } from '../core/platform/db.ts'
import { createLog } from '../core/platform/log.ts'
import { serveMetrics } from '../core/platform/metrics.ts'
import { openQueues, startQueueWorker } from '../core/platform/queue.ts'
import { onStopSignal } from '../core/platform/stop.ts'
import { startTracing } from '../core/platform/trace.ts'
import { SettingsError } from '../core/settings/read-settings.ts'
import { createAnnouncer } from './announcer.ts'
import { createCrmBatches } from './crm-batches.ts'
import { createLedger } from './ledger.ts'
import { perform, performBatch } from './perform.ts'
import { startSchedule } from './schedule.ts'
import { createCrmSender } from './senders/crm.ts'
import { createMailer } from './senders/mailer.ts'
import { tracedCrm, tracedMailer } from './senders/traced.ts'
import { startSyncs } from './sync/start.ts'
import { startWatchdog } from './watchdog.ts'

/** The exit code that asks the supervisor for a restart (EX_TEMPFAIL of sysexits.h). */
const START_AGAIN = 75

try {
  const env = readWorkerEnv()
  const log = createLog('worker', env.LOG_LEVEL)
  // First, because these may refuse a setting: nothing that keeps the process alive may run before.
  const mailer = tracedMailer(createMailer(env), env)
  const crm = tracedCrm(createCrmSender(env), env)

  const db = openDb(env.DATABASE_URL, { name: 'leadwell-worker' })
  const stopTracing = await startTracing('leadwell-worker', env)
  const stopMetrics = serveMetrics(env, log)
  const services = { env, db, ledger: createLedger(db), mailer, crm }

  const announcer = createAnnouncer(db, log)
  const schedule = startSchedule(db, env, log)
  const performOne = async (jobId: string) => announcer.tell(await perform(jobId, services, log))
  const crmBatches = createCrmBatches(crm, async (ids) => announcer.tell(await performBatch(ids, services, log)))
  const syncs = startSyncs({ env, db, log })
  const workers = JobName.options.map((name) =>
    name === 'sync-crm'
      ? startQueueWorker(env, name, crmBatches.perform, log, crmBatches)
      : startQueueWorker(env, name, performOne, log),
  )
  const queues = openQueues(env, log)
  const exit = onStopSignal(log, async () => {
    watchdog.stop()
    await schedule.stop()
    // Together: a slow sync must not keep the queues taking jobs.
    await Promise.all([syncs.stop(), ...workers.map((worker) => worker.close())])
    mailer.close()
    crm?.close?.()
    await announcer.stop()
    await stopMetrics()
    await queues.close()
    await db.destroy()
    await stopTracing()
  })
  const watchdog = startWatchdog({
    workers,
    queues,
    log,
    onStuck: () => exit(START_AGAIN),
    healthFile: env.WORKER_HEALTH_FILE,
  })

  await Promise.all(workers.map((worker) => worker.waitUntilReady()))
  log.info('worker ready')
  process.send?.('ready')
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
