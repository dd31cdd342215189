import { pathToFileURL } from 'node:url'
import { type Db, migrate, openDb } from './db.ts'
import { readEnv } from './env.ts'
import * as leadCounts from './stores/lead-counts.ts'
import { loadZipCodes } from './stores/zip-codes.ts'

/** A pool for `prepareDatabase`: changing the table of a million leads, or waiting for who does, takes its time. */
export function openDbToPrepare(connectionString: string, options: { poolSize: number; name: string }): Db {
  return openDb(connectionString, { ...options, statementTimeout: 0 })
}

/**
 * Brings a database to what this code expects: its schema, the table of zips, and counts by the days of the network's
 * time zone. Safe to run again at any time.
 */
export async function prepareDatabase(db: Db, timeZone: string): Promise<{ migrations: string[]; zips: number }> {
  const migrations = await migrate(db)
  await leadCounts.setTimeZone(db, timeZone)
  const zips = await loadZipCodes(db)
  return { migrations, zips }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { DATABASE_URL, NETWORK_TIME_ZONE } = readEnv()
  const db = openDbToPrepare(DATABASE_URL, { poolSize: 1, name: 'leadwell-migrate' })
  try {
    const { migrations, zips } = await prepareDatabase(db, NETWORK_TIME_ZONE)
    console.log(`Database ready: ${migrations.length} migrations applied, ${zips} zip codes.`)
  } catch (error) {
    console.error(`The database could not be prepared: ${(error as Error).message}`)
    process.exitCode = 1
  } finally {
    await db.destroy()
  }
}
