import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { DEFAULT_TIME_ZONE } from '../../core/env.ts'
import { prepareDatabase } from '../../core/migrate.ts'
import { openDb } from '../../core/platform/db.ts'
import { buildProduct } from '../../local/build.ts'
import { APP_ROLE, createDatabase, startPostgres } from '../../local/postgres.ts'
import { removeAtEnd } from '../../local/process.ts'
import { startRedis } from '../../local/redis.ts'
import { findChromium } from './chromium.ts'

type Services = {
  /** The server that holds the template and a database for each worker. */
  postgresUrl: string
  /** Null where no redis-server is installed: then the queue runs on PostgreSQL alone. */
  redisUrl: string | null
  /** Why the product could not be built, if it could not. */
  buildProblem: string | null
}

declare module 'vitest' {
  interface ProvidedContext extends Services {}
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A migrated database with every zip code, from which the others are copied. */
export const TEMPLATE = 'leadwell_template'

type Run = { users: number; started: Promise<Services & { stop(): Promise<void> }> }
// Vitest loads this file once for each project; the services start once for all of them.
const shared = globalThis as { leadwellServices?: Run }

/** Brings up what a project's tests need, unless another project's setup has, and takes it down after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.leadwellServices ??= { users: 0, started: start() }
  const run = shared.leadwellServices
  run.users += 1
  const { stop, ...services } = await run.started
  for (const name of ['postgresUrl', 'redisUrl', 'buildProblem'] as const) project.provide(name, services[name])
  return async () => {
    run.users -= 1
    if (run.users > 0) return
    shared.leadwellServices = undefined
    await stop()
  }
}

async function start(): Promise<Services & { stop(): Promise<void> }> {
  if (!findChromium()) console.warn('No Chromium found (CHROMIUM_PATH may name one): the browser tests are not run.')
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwell-test-'))
  removeAtEnd(dataDir)
  // A build that fails is the problem of the tests that need it.
  const built = buildProduct(ROOT).then(
    () => null,
    (error: Error) => error.message,
  )
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), fsync: false })
  const redis = await startRedis({ dataDir: join(dataDir, 'redis'), persist: false })
  if (!redis)
    console.warn('No redis-server on the PATH: the queue runs on PostgreSQL, and tests that need Redis are left out.')

  const db = openDb(await createDatabase(postgres.url, TEMPLATE))
  await prepareDatabase(db, DEFAULT_TIME_ZONE, APP_ROLE)
  await db.destroy()

  return {
    postgresUrl: postgres.url,
    redisUrl: redis?.url ?? null,
    buildProblem: await built,
    async stop() {
      await redis?.stop()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
