import { createServer } from 'node:http'
import { openDb } from '../core/db.ts'
import { readEnv, SettingsError } from '../core/env.ts'
import { createLog } from '../core/log.ts'
import { openQueues } from '../core/queue.ts'
import { onStopSignal } from '../core/stop.ts'
import { createApp } from './app.ts'
import { listenForJobs, startRelay } from './relay.ts'

try {
  const env = readEnv()
  const log = createLog('api', env.LOG_LEVEL)
  const db = openDb(env.DATABASE_URL, { name: 'leadwell-api' })
  const queues = openQueues(env, log)
  const relay = startRelay({ db, queues, log })
  const stopListening = listenForJobs(env.DATABASE_URL, relay, log)

  const answer = createApp({ env, db, log, queues, relay }).callback()
  let stopping = false
  const server = createServer((request, response) => {
    // Else whoever keeps a connection and sends on would keep this process from ending.
    if (stopping) response.setHeader('Connection', 'close')
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
    stopping = true
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeIdleConnections()
    })
    await relay.stop()
    await stopListening()
    await queues.close()
    await db.destroy()
  })
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
