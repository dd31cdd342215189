import { describe, onTestFailed, onTestFinished } from 'vitest'
import type { Db } from '../../core/platform/db.ts'
import { freePort } from '../../local/ports.ts'
import { hasRedis } from '../../local/redis.ts'
import { type ApiClient, apiClient } from './api-client.ts'
import { startCrmServer, type TestCrmServer } from './crm-server.ts'
import { createTestDatabase } from './database.ts'
import { CRM_SECRET, rawEnv } from './env.ts'
import { createProvider } from './factories.ts'
import { launchProcess, type TestProcess } from './processes.ts'
import { type OwnRedis, startOwnRedis } from './redis.ts'
import { startSmtpServer, type TestSmtpServer } from './smtp-server.ts'

/** Whether queues run on Redis, as in production. Without it they run on PostgreSQL, as `npm start` does then. */
export const REDIS_IS_HERE = hasRedis()

/** Tests that need Redis itself. Without it they are reported as skipped, with the reason. */
export function describeOnRedis(what: string, tests: () => void): void {
  const reason = REDIS_IS_HERE ? '' : ' (NOT RUN: there is no redis-server on the PATH)'
  describe.skipIf(!REDIS_IS_HERE)(`${what}${reason}`, tests)
}

/** Everything around our processes: a database, Redis, a mail server and a CRM. */
export type Surroundings = {
  db: Db
  smtp: TestSmtpServer
  crm: TestCrmServer
  /** @throws TypeError without a redis-server on this machine */
  redis: OwnRedis
  env: Record<string, string>
  startApi(overrides?: Record<string, string>): Promise<ApiProcess>
  startWorker(overrides?: Record<string, string>): Promise<TestProcess>
  /** Starts a worker that may not be ready for a while. */
  launchWorker(overrides?: Record<string, string>): TestProcess
  /** The output of the processes, without regular lines. */
  troubles(): string
  /** Kills the processes and takes everything else down. */
  close(): Promise<void>
}

export type Site = Surroundings & {
  providerId: number
}

export type ApiProcess = TestProcess & ApiClient

type SiteOptions = {
  /** Whether Redis keeps its jobs across a restart, as in production. */
  persist?: boolean
  /** A database of the test's own making. */
  database?: { db: Db; url: string }
}

/**
 * Starts the surroundings of a test: a database with a clinic in Austin, Texas, Redis, a mail server and a CRM. They end with the test,
 * and so do the API and the workers that the test starts.
 */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const surroundings = await startSurroundings(options)
  // Before they are killed: Vitest reports a failure after the test's end.
  let troubles = ''
  onTestFinished(async () => {
    troubles = surroundings.troubles()
    await surroundings.close()
  })
  onTestFailed(() => console.error(troubles))
  return { ...surroundings, providerId: (await createProvider(surroundings.db)).id }
}

/** Starts the same without a clinic. The caller stops it. */
export async function startSurroundings({ persist = false, database }: SiteOptions): Promise<Surroundings> {
  const [{ db, url, appUrl, drop }, smtp, crm, redis] = await Promise.all([
    database ? { drop: async () => {}, appUrl: database.url, ...database } : createTestDatabase(),
    startSmtpServer(),
    startCrmServer(),
    REDIS_IS_HERE ? startOwnRedis({ persist }) : undefined,
  ])
  const processes: TestProcess[] = []
  const env = rawEnv({
    // BullMQ on PostgreSQL makes tables of its own.
    DATABASE_URL: redis ? appUrl : url,
    ...(redis && { REDIS_URL: redis.url }),
    SMTP_URL: smtp.url,
    CRM_KIND: 'webhook',
    CRM_WEBHOOK_URL: crm.url,
    CRM_WEBHOOK_SECRET: CRM_SECRET,
    LOG_LEVEL: 'debug',
  })
  const launch = (main: 'api' | 'worker', overrides: Record<string, string>) => {
    const launched = launchProcess(main, { ...env, ...overrides })
    processes.push(launched)
    return launched
  }
  return {
    db,
    smtp,
    crm,
    redis: redis as OwnRedis,
    env,
    async startApi(overrides = {}) {
      const port = overrides.PORT ?? String(await freePort())
      const api = launch('api', { ...overrides, PORT: port })
      await api.ready
      return { ...api, ...apiClient(`http://127.0.0.1:${port}`) }
    },
    launchWorker: (overrides = {}) => launch('worker', overrides),
    async startWorker(overrides = {}) {
      const worker = launch('worker', overrides)
      await worker.ready
      return worker
    },
    troubles: () => processes.map(trouble).join('\n'),
    async close() {
      await Promise.all(processes.map((process) => process.kill('SIGKILL')))
      await Promise.all([smtp.close(), crm.close(), redis?.close(), drop()])
    },
  }
}

/** Returns the output of a process without regular lines, for the report of a failed test. */
function trouble({ child, isRunning, output }: TestProcess): string {
  const lines = output()
    .split('\n')
    .filter((line) => !line.includes('"level":30') || line.includes('"reason"'))
  const state = isRunning() ? 'runs' : `has ended with ${child.exitCode ?? child.signalCode}`
  return [`${child.spawnargs.at(-1)} ${state}`, ...lines.slice(-40)].join('\n')
}
