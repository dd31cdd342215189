import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import * as dueJobs from '../../core/deliveries/stores/attempts.ts'
import { CHANGES_CHANNEL, readAnnouncement } from '../../core/deliveries/stores/changes.ts'
import type { WorkerEnv } from '../../core/env.ts'
import type { Db } from '../../core/platform/db.ts'
import { listen } from '../../core/platform/db.ts'
import { createLog } from '../../core/platform/log.ts'
import { createAttempts } from '../../worker/attempt.ts'
import type { Mailer } from '../../worker/senders/mailer.ts'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { useDatabase } from '../support/database.ts'
import { testEnv } from '../support/env.ts'
import { staffHeaders } from '../support/factories.ts'
import { clinicPost, startWordPress, type TestWordPress } from '../support/wordpress-server.ts'

const log = createLog('test', 'silent')

/** Starts an API and a WordPress site of twelve clinics for the tests of a file. Each test starts its own worker. */
export function useSyncSite() {
  const database = useDatabase()
  let wordpress: TestWordPress
  let api: ApiServer
  let stopListening = async () => {}
  let stopWorker = async () => {}
  beforeAll(async () => {
    wordpress = await startWordPress()
    api = await startApiServer(database.app, { WORDPRESS_URL: wordpress.url, WORDPRESS_SYNC_CRON: '0 * * * *' })
    stopListening = listen(database.appUrl, {
      channels: { [CHANGES_CHANNEL]: (payload) => api.events.publish(readAnnouncement(payload)) },
      onListening: () => api.events.resync(),
      log,
    })
  })
  beforeEach(() => {
    wordpress.posts.splice(0, Infinity, ...Array.from({ length: 12 }, (_, index) => clinicPost(index + 1)))
    wordpress.intercept((_page, answer) => answer)
  })
  afterEach(async () => {
    await stopWorker()
    stopWorker = async () => {}
  })
  afterAll(async () => {
    await stopListening()
    await api.close()
    await wordpress.close()
  })

  return {
    database,
    startWorker(): void {
      const env = testEnv({ DATABASE_URL: database.appUrl, WORDPRESS_URL: wordpress.url })
      stopWorker = workOn(database.db, env)
    },
    stopWorker: () => stopWorker(),
    call: async (method: string, path: string) => api.call(method, path, undefined, await staffHeaders(database.db)),
    runs: () => database.db('provider_syncs').orderBy('id'),
    get wordpress() {
      return wordpress
    },
    get api() {
      return api
    },
  }
}

/** Attempts the jobs of runs one after the other, as relay, queue and worker do. Returns the function that stops it. */
function workOn(db: Db, env: WorkerEnv): () => Promise<void> {
  const stopped = new AbortController()
  const attempt = createAttempts({ env, db, log, mailer: {} as Mailer, crm: null, stopping: stopped.signal }, log)
  const work = async () => {
    while (!stopped.signal.aborted) {
      const due = await db.transaction((trx) => dueJobs.takeDue(trx, 100))
      for (const { id } of due.filter(({ name }) => name === 'sync-providers')) {
        const [ended] = await attempt([id])
        // Handed back, as the queue does.
        await ended?.catch(() => db('jobs').where({ id }).update({ state: 'waiting' }))
      }
      if (due.length === 0) await sleep(50)
    }
  }
  const working = work()
  return async () => {
    stopped.abort()
    await working
  }
}
