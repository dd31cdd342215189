import { JobName } from '../core/contract/jobs.ts'
import { openDb } from '../core/db.ts'
import { readEnv, SettingsError } from '../core/env.ts'
import { createLog } from '../core/log.ts'
import { startQueueWorker } from '../core/queue.ts'
import { onStopSignal } from '../core/stop.ts'
import { perform } from './perform.ts'
import { startSchedule } from './schedule.ts'
import { createCrmSender } from './senders/crm.ts'
import { createMailer } from './senders/mailer.ts'

try {
  const env = readEnv()
  const log = createLog('worker', env.LOG_LEVEL)
  const db = openDb(env.DATABASE_URL, { name: 'leadwell-worker' })
  const mailer = createMailer(env)
  const services = { env, db, mailer, crm: createCrmSender(env) }

  const schedule = startSchedule(db, log)
  const workers = JobName.options.map((name) =>
    startQueueWorker(env, name, (jobId) => perform(jobId, services, log), log),
  )
  onStopSignal(log, async () => {
    await schedule.stop()
    await Promise.all(workers.map((worker) => worker.close()))
    mailer.close()
    await db.destroy()
  })

  await Promise.all(workers.map((worker) => worker.waitUntilReady()))
  log.info('worker ready')
  process.send?.('ready')
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
