import { CHANGES_CHANNEL, readAnnouncement } from '../core/deliveries/stores/changes.ts'
import { JOBS_CHANNEL } from '../core/deliveries/stores/jobs.ts'
import { readApiEnv } from '../core/env.ts'
import { listen, openDb } from '../core/platform/db.ts'
import { createLog } from '../core/platform/log.ts'
import { guardDatabase } from '../core/platform/migrations.ts'
import { refuseWeakPassword } from '../core/platform/passwords.ts'
import { createStatus, onStopSignal, refuseCluster, serveMetrics, watchStatus } from '../core/platform/process.ts'
import { openQueues } from '../core/platform/queue.ts'
import * as providerRules from '../core/providers/stores/provider-rules.ts'
import { SettingsError } from '../core/settings/read-settings.ts'
import * as accounts from '../core/staff/stores/staff-accounts.ts'
import { createReadingLog } from './access-log.ts'
import { createApp } from './app.ts'
import { createEventHub } from './events.ts'
import { sharedState } from './metrics.ts'
import { createReadiness } from './readiness.ts'
import { startRelay } from './relay.ts'
import { closeSiteServer, createSiteServer } from './site-server.ts'

const FIRST_MANAGER = 'npm run staff -- add --name "…" --email … --role manager'

try {
  const env = readApiEnv()
  await refuseWeakPassword(env)
  const log = createLog('api', env.LOG_LEVEL)
  const db = openDb(env.DATABASE_URL, { name: 'leadwell-api', onConnect: guardDatabase(env.DATA_KEY) })
  // Before anything runs. A database that is away is compared when it comes.
  await db.raw('select 1').catch(() => {})
  await refuseCluster(env)
  const queues = openQueues(env, log)
  const relay = startRelay({ db, queues, log })
  const status = createStatus(db, env)
  const readiness = createReadiness(db)
  const stopMetrics = serveMetrics(env, log, sharedState({ env, db, queues, status }), {
    '/readyz': async () => {
      const body = await readiness()
      return { isWell: body.status === 'ready', body }
    },
    '/statusz': async () => {
      const body = await status()
      return { isWell: Object.values(body).every(({ trouble }) => trouble === null), body }
    },
  })
  const stopWatching = watchStatus(status, log)
  const events = createEventHub()
  const readings = createReadingLog({ db, log })
  // Runs once the database is there. `migrate` does the same, but a setting may change without it.
  const keepTimeZone = () =>
    providerRules
      .setTimeZone(db, env.NETWORK_TIME_ZONE)
      .catch((error: Error) => log.error({ reason: error.message }, 'the time zone was not set'))
  // Not an error: the site takes leads without staff.
  const sayHowToStart = async () => {
    if (env.ADMIN_ACCESS === 'open' || env.ADMIN_PASSWORD) return
    if (!(await accounts.canSignIn(db).catch(() => true)))
      log.warn({ command: FIRST_MANAGER }, 'no account can sign in yet: create the first manager')
  }
  const stopListening = listen(env.DATABASE_URL, {
    channels: {
      [JOBS_CHANNEL]: () => relay.wake(),
      [CHANGES_CHANNEL]: (payload) => events.publish(readAnnouncement(payload)),
    },
    onListening() {
      events.resync()
      keepTimeZone()
      sayHowToStart()
    },
    log,
  })

  const stopping = new AbortController()
  const answer = createApp({ env, db, log, queues, events, readings, stopping: stopping.signal }).callback()
  const server = createSiteServer((request, response) => {
    // Otherwise a client that keeps its connection busy would keep this process from ending.
    if (stopping.signal.aborted) response.setHeader('Connection', 'close')
    answer(request, response)
  })
  server.on('error', (error) => {
    log.fatal({ reason: error.message }, 'cannot listen')
    process.exit(1)
  })
  server.listen(env.PORT, env.HOST, () => {
    log.info({ host: env.HOST, port: env.PORT }, 'api ready')
    process.send?.('ready')
  })

  onStopSignal(log, async () => {
    stopping.abort()
    stopWatching()
    events.stop()
    await closeSiteServer(server)
    await relay.stop()
    await readings.stop()
    await stopMetrics()
    await stopListening()
    await queues.close()
    await db.destroy()
  })
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
