import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import knex, { type Knex } from 'knex'
import pg from 'pg'
import { SECOND } from './time.ts'

/** A connection pool or a transaction on it: every store function takes either. */
export type Db = Knex
export type Transaction = Knex.Transaction

const ignore = () => {}

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url))

/** Opens a connection pool. It connects on first use; nothing here fails when the database is away. */
export function openDb(connectionString: string, { poolSize = 10, name = 'leadwell' } = {}): Db {
  return knex({
    client: 'pg',
    connection: {
      connectionString,
      application_name: name,
      connectionTimeoutMillis: 5 * SECOND,
      statement_timeout: 15 * SECOND,
      keepAlive: true,
    },
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: 5 * SECOND,
    // What knex would print is thrown as well, and logged where it is handled.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  })
}

/** Migration names without their file ending, so that source (.ts) and build (.js) share one history. */
const migrationSource = {
  async getMigrations() {
    const files = await readdir(MIGRATIONS)
    return [
      ...new Set(files.filter((file) => /\.[jt]s$/.test(file)).map((file) => file.replace(/\.[jt]s$/, ''))),
    ].sort()
  },
  getMigrationName: (name: string) => name,
  getMigration: (name: string) => import(new URL(`${name}${import.meta.url.slice(-3)}`, `file://${MIGRATIONS}`).href),
}

/** Applies what is missing, each migration in a transaction; two runs at once take turns. Returns the names applied. */
export async function migrate(db: Db): Promise<string[]> {
  const [, applied] = await db.migrate.latest({ migrationSource })
  return applied
}

/** Number of migrations that this code has and the database has not. Throws when the database is out of reach. */
export async function pendingMigrations(db: Db): Promise<number> {
  const [, pending] = await db.migrate.list({ migrationSource })
  return pending.length
}

/** A connection of its own for `LISTEN`, outside the pool. The caller connects and ends it. */
export function listenClient(connectionString: string): pg.Client {
  return new pg.Client({ connectionString, application_name: 'leadwell-listen', keepAlive: true })
}
