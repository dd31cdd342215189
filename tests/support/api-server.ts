import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { createReadingLog } from '../../api/access-log.ts'
import { createApp } from '../../api/app.ts'
import { createEventHub, type EventHub } from '../../api/events.ts'
import type { Env } from '../../core/env.ts'
import type { Db } from '../../core/platform/db.ts'
import { createLog } from '../../core/platform/log.ts'
import type { Queues } from '../../core/platform/queue.ts'
import { type ApiClient, apiClient } from './api-client.ts'
import { type TestDatabase, useDatabase } from './database.ts'
import { testEnv } from './env.ts'
import { staffHeaders } from './factories.ts'

export type ApiServer = ApiClient & {
  /** Its open dashboards. They get no events, because this API does not listen to the database. */
  events: EventHub
  /** Writes to the access log what was read so far. */
  writeReadings(): Promise<void>
  /** Does the first step of SIGTERM: answers all waiting calls. */
  stop(): void
  close(): Promise<void>
}

export type { ApiAnswer } from './api-client.ts'

/** The API on a free port of this machine, in this process, without relay and queue: nothing is delivered. */
export async function startApiServer(db: Db, overrides: Record<string, string> = {}): Promise<ApiServer> {
  const env: Env = testEnv(overrides)
  const queues: Queues = { all: [], add: async () => {}, close: async () => {} }
  // Sessions are looked at five times a second, so that tests need not wait for it.
  const events = createEventHub({ heartbeat: 200 })
  const stopping = new AbortController()
  const log = createLog('test', env.LOG_LEVEL)
  const readings = createReadingLog({ db, log })
  const app = createApp({ env, db, log, queues, events, readings, stopping: stopping.signal })
  const server: Server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...apiClient(url),
    events,
    writeReadings: readings.flush,
    stop: () => stopping.abort(),
    async close() {
      events.stop()
      server.close()
      server.closeAllConnections()
      await readings.stop()
    },
  }
}

/** Starts an API with settings of its own, which ends with the test. */
export async function apiWith(db: Db, overrides?: Record<string, string>): Promise<ApiServer> {
  const api = await startApiServer(db, overrides)
  onTestFinished(() => api.close())
  return api
}

/** One API for all tests of a file, on the worker's database, as `useDatabase` has it. */
export function useApi(
  overrides?: Record<string, string>,
  options?: Parameters<typeof useDatabase>[0],
): {
  api: ApiServer
  database: ReturnType<typeof useDatabase>
} {
  const database = useDatabase(options)
  const api = {} as ApiServer

  beforeAll(async () => void Object.assign(api, await startApiServer(database.app, overrides)))
  afterAll(() => api.close())
  // What a test read is written now, not into the database of the next one.
  afterEach(() => api.writeReadings())
  return { api, database }
}

/** The headers of a browser that is signed in with the shared password, anew for each test. */
export function useStaff(database: Pick<TestDatabase, 'db'>): { cookie: string } {
  const staff = { cookie: '' }
  beforeEach(async () => void Object.assign(staff, await staffHeaders(database.db)))
  return staff
}
