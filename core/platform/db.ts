import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import knex, { type Knex } from 'knex'
import pg from 'pg'
import { SECOND } from '../time.ts'
import { queryDeadline } from './query-deadline.ts'

/** A connection pool or a transaction on it: every store function takes either. */
export type Db = Knex
export type Transaction = Knex.Transaction

const ignore = () => {}

/** How long a connection may be idle before TCP asks whether the other end is there, ten times, a second apart. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10 * SECOND }

/** SQLSTATE of a table that is not there. */
const UNDEFINED_TABLE = '42P01'

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url))

/**
 * Opens a connection pool. It connects on first use; nothing here fails when the database is away.
 * All limits are in milliseconds.
 * @param options.statementTimeout how long a statement may take; 0 for as long as it needs
 * @param options.grace how much longer a silent connection is waited for, so that PostgreSQL ends the statement first
 * @param options.connectTimeout how long a connection may take to open, or to become free
 * @param options.idleTransactionTimeout how long a transaction may send nothing before PostgreSQL ends it
 */
export function openDb(
  connectionString: string,
  {
    poolSize = 10,
    name = 'leadwell',
    statementTimeout = 15 * SECOND,
    grace = 2 * SECOND,
    connectTimeout = 5 * SECOND,
    idleTransactionTimeout = 20 * SECOND,
  } = {},
): Db {
  return knex({
    client: 'pg',
    connection: {
      connectionString,
      application_name: name,
      connectionTimeoutMillis: connectTimeout,
      // pg does not send a zero, and the role or the database may have a limit of its own.
      ...(statementTimeout > 0 ? { statement_timeout: statementTimeout } : { options: '-c statement_timeout=0' }),
      // A host that is lost in the middle of a transaction would keep its locks until TCP notices, hours later.
      idle_in_transaction_session_timeout: idleTransactionTimeout,
      ...KEEP_ALIVE,
    },
    pool: {
      min: 0,
      max: poolSize,
      // Connecting has a limit; what knex asks a new connection has not.
      createTimeoutMillis: 10 * SECOND,
      ...(statementTimeout > 0 && queryDeadline(statementTimeout + grace)),
    },
    acquireConnectionTimeout: connectTimeout,
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

/**
 * Applies what is missing, in one transaction; two runs at once take turns. The pool should let statements take as long
 * as they need. Returns the names applied.
 * @throws Error when somebody else, a long export for instance, keeps a table for `lockTimeout` milliseconds; nothing is
 *   applied then
 */
export async function migrate(db: Db, { lockTimeout = 10 * SECOND } = {}): Promise<string[]> {
  return db.transaction(async (trx) => {
    // knex's own lock is in a table that two first runs would both make.
    await trx.raw(`select pg_advisory_xact_lock(hashtext('leadwell migrate'))`)
    // Whoever wants a table waits behind us while we wait for it: better to fail, and be run again, than to stop the site.
    await trx.raw(`set local lock_timeout = ${lockTimeout}`)
    // A database may be ahead of this code: during an upgrade, and when it was taken back.
    const [, applied] = await trx.migrate.latest({ migrationSource, disableMigrationsListValidation: true })
    return applied
  })
}

/**
 * Number of migrations that this code has and the database has not; what the database has beyond that does not count.
 * Changes nothing: knex's own list makes its tables where they are missing, which gets in the way of a first `migrate`.
 * @throws Error when the database is out of reach
 */
export async function pendingMigrations(db: Db): Promise<number> {
  const [names, applied] = await Promise.all([migrationSource.getMigrations(), appliedMigrations(db)])
  return names.filter((name) => !applied.includes(name)).length
}

async function appliedMigrations(db: Db): Promise<string[]> {
  try {
    return await db('knex_migrations').pluck('name')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === UNDEFINED_TABLE) return []
    throw error
  }
}

/** A connection of its own for `LISTEN`, outside the pool. The caller connects and ends it. */
export function listenClient(connectionString: string): pg.Client {
  return new pg.Client({
    connectionString,
    application_name: 'leadwell-listen',
    connectionTimeoutMillis: 5 * SECOND,
    query_timeout: 5 * SECOND,
    ...KEEP_ALIVE,
  })
}
