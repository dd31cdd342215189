import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openDb } from '../../core/db.ts'
import { prepareDatabase } from '../../core/migrate.ts'
import { createDatabase, startPostgres } from '../../local/postgres.ts'
import { startRedis } from '../../local/redis.ts'
import { buildWeb } from '../../local/web-build.ts'
import { findChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which each test file gets a database of its own, copied from a prepared template. */
    postgresUrl: string
    /** Null where no redis-server is installed: then the queue runs on PostgreSQL alone. */
    redisUrl: string | null
    /** Why the web could not be built, if it could not. */
    webProblem: string | null
  }
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export const TEMPLATE = 'leadwell_template'

/** Brings up what the tests need, once for all files, and takes it down again. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Once for all files. Its faults are those of the files that need it.
  const webBuilt = buildWeb(ROOT).then(
    () => null,
    (error: Error) => error.message,
  )
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwell-test-'))
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), fsync: false })
  const redis = await startRedis({ dataDir: join(dataDir, 'redis'), persist: false })
  if (!findChromium()) console.warn('No Chromium found (CHROMIUM_PATH may name one): the browser tests are not run.')
  if (!redis) console.warn('No redis-server on the PATH: the queue is tested on PostgreSQL only.')

  const db = openDb(await createDatabase(postgres.url, TEMPLATE))
  await prepareDatabase(db)
  await db.destroy()

  project.provide('webProblem', await webBuilt)
  project.provide('postgresUrl', postgres.url)
  project.provide('redisUrl', redis?.url ?? null)
  return async () => {
    await redis?.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
