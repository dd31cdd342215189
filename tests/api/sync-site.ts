import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createLog } from '../../core/platform/log.ts'
import { startSyncs } from '../../worker/sync/start.ts'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { testEnv } from '../support/env.ts'
import { staffHeaders } from '../support/factories.ts'
import { clinicPost, startWordPress, type TestWordPress } from '../support/wordpress-server.ts'

/** Starts an API and a WordPress site of twelve clinics for the tests of a file. Each test starts its own worker. */
export function useSyncSite() {
  const database = useDatabase()
  let wordpress: TestWordPress
  let api: ApiServer
  let stopWorker = async () => {}
  beforeAll(async () => {
    wordpress = await startWordPress()
    api = await startApiServer(database.app, { WORDPRESS_URL: wordpress.url, WORDPRESS_SYNC_CRON: '0 * * * *' })
  })
  beforeEach(() => {
    wordpress.posts.splice(0, Infinity, ...Array.from({ length: 12 }, (_, index) => clinicPost(index + 1)))
    wordpress.intercept((_page, answer) => answer)
  })
  afterEach(async () => {
    await stopWorker()
    stopWorker = async () => {}
    await emptyDatabase(database.db)
  })
  afterAll(async () => {
    await api.close()
    await wordpress.close()
  })

  return {
    database,
    startWorker(): void {
      const env = testEnv({ DATABASE_URL: database.appUrl, WORDPRESS_URL: wordpress.url })
      stopWorker = startSyncs({ env, db: database.db, log: createLog('test', 'silent') }).stop
    },
    stopWorker: () => stopWorker(),
    /** Makes a call as staff. */
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
