import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '../../api/app.ts'
import type { Db } from '../../core/db.ts'
import type { Env } from '../../core/env.ts'
import { createLog } from '../../core/log.ts'
import type { Queues } from '../../core/queue.ts'
import { STAFF_PASSWORD, testEnv } from './env.ts'

export type ApiServer = {
  url: string
  /** Number of times that the relay was woken. */
  wakes: () => number
  /** Calls the API with JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>
  /** Signs in; returns the headers that make a call a staff call. */
  signIn(): Promise<{ cookie: string }>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type ApiAnswer = { status: number; headers: Headers; body: any }

/** The API on a free port of this machine, in this process, without relay and queue: nothing is delivered. */
export async function startApiServer(db: Db, overrides: Record<string, string> = {}): Promise<ApiServer> {
  const env: Env = testEnv(overrides)
  let wakes = 0
  const relay = { wake: () => void wakes++ }
  const queues: Queues = { all: [], add: async () => {}, close: async () => {} }
  const app = createApp({ env, db, log: createLog('test', env.LOG_LEVEL), queues, relay })
  const server: Server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const call: ApiServer['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
  return {
    url,
    wakes: () => wakes,
    call,
    async signIn() {
      const { headers } = await call('POST', '/api/session', { password: STAFF_PASSWORD })
      return {
        cookie: headers
          .getSetCookie()
          .map((cookie) => cookie.split(';')[0])
          .join('; '),
      }
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
