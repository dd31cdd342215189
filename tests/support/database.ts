import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, inject } from 'vitest'
import { type Db, openDb } from '../../core/platform/db.ts'
import { asApp, createDatabase, dropDatabase } from '../../local/postgres.ts'
import { TEMPLATE } from './global-setup.ts'

export type TestDatabase = {
  /** A connection as the role that owns all tables, with which a test prepares and checks data. */
  db: Db
  url: string
  /** A connection as the role of API and worker in production. */
  app: Db
  appUrl: string
  drop(): Promise<void>
}

/** Creates a migrated database with every zip code. The caller drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = await createDatabase(inject('postgresUrl'), name, TEMPLATE)
  const appUrl = asApp(url)
  const db = openDb(url)
  const app = openDb(appUrl)
  return {
    db,
    url,
    app,
    appUrl,
    async drop() {
      await db.destroy()
      await app.destroy()
      await dropDatabase(inject('postgresUrl'), name)
    },
  }
}

// One for all files of this worker. It goes with the server that holds it.
let workersDatabase: Promise<TestDatabase> | undefined

/**
 * The worker's database, empty but for the zip codes when each test begins. With `isKept`, what is written stays for the other
 * tests of the file.
 */
export function useDatabase({ isKept = false } = {}): Omit<TestDatabase, 'drop'> {
  const database = {} as TestDatabase

  beforeAll(async () => {
    workersDatabase ??= createTestDatabase()
    Object.assign(database, await workersDatabase)
    await emptyDatabase(database.db)
  })
  // Hooks that are registered later run before this one.
  if (!isKept) afterEach(() => emptyDatabase(database.db))
  return database
}

/** The tables that migrations fill. */
const KEPT = "('zip_codes', 'network', 'knex_migrations', 'knex_migrations_lock')"
const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 5

/** The databases that have the function which empties them. */
const prepared = new WeakMap<Db, Promise<unknown>>()

/**
 * Empties every table but the zip codes and starts all ids at 1 again. Also while processes use the database: a deadlock
 * with one of them is tried again.
 */
export async function emptyDatabase(db: Db): Promise<void> {
  if (!prepared.has(db)) prepared.set(db, createFunctionThatEmpties(db))
  await prepared.get(db)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.raw('select testing.empty_all()')
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/**
 * Deletes without triggers and foreign keys: in any order, also from tables that are append-only. A function, which PostgreSQL
 * plans once, and which leaves alone what is empty: most tests fill few of the tables.
 */
async function createFunctionThatEmpties(db: Db): Promise<void> {
  const { rows: tables } = await db.raw(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not in ${KEPT}`,
  )
  const { rows: sequences } = await db.raw(`select sequencename as name from pg_sequences where schemaname = 'public'`)
  const statements = [
    `perform set_config('session_replication_role', 'replica', true)`,
    `update network set shared_password_off_at = null, quiet_since = null, no_lead_hours = 8,
       alerts_checked_at = null`,
    ...tables.map(({ name }: { name: string }) => `if exists (select from ${name}) then delete from ${name}; end if`),
    ...sequences.map(
      ({ name }: { name: string }) =>
        `if (select is_called from ${name}) then perform setval('${name}', 1, false); end if`,
    ),
  ]
  await db.raw(`create schema if not exists testing;
    create or replace function testing.empty_all() returns void language plpgsql as $$
    begin ${statements.join('; ')}; end $$`)
}
