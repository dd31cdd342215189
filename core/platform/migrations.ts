import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SECOND } from '../time.ts'
import { type Db, type MigrationSource, only, openSession, queryRows } from './db.ts'

/** SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = '42P01'
/** How often a run asks whether another run has ended. */
const TURN_INTERVAL = SECOND / 5

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** The folder `migrations`. Names have no file ending, so that source (.ts) and build (.js) share one history. */
export const migrationFiles: MigrationSource = {
  async getMigrations() {
    const files = await readdir(FOLDER)
    const names = files.filter((file) => /\.[jt]s$/.test(file)).map((file) => file.replace(/\.[jt]s$/, ''))
    return [...new Set(names)].sort(byAge)
  },
  getMigrationName: (name) => name,
  getMigration: (name) => import(new URL(`${name}${import.meta.url.slice(-3)}`, `file://${FOLDER}`).href),
}

/**
 * Applies the missing migrations, the oldest first, and returns their names. Each file is a transaction of its own unless
 * it exports `config = { transaction: false }`; after a failure the earlier files stay applied, and the next run goes on
 * from there. Concurrent runs take turns. The pool should have no statement timeout.
 * @param options.lockTimeout milliseconds that a statement waits for a table that another session uses
 * @throws Error when a missing migration is older than an applied one (nothing is applied then), or when one fails
 */
export async function migrate(db: Db, { lockTimeout = 10 * SECOND, source = migrationFiles } = {}): Promise<string[]> {
  const session = openSession(db, { lock_timeout: lockTimeout })
  const applied: string[] = []
  try {
    for (;;) {
      // Asked before each file: the lock ends with its connection, and the pool replaces a lost connection silently.
      await takeTurn(session)
      const pending = await findPending(session, source)
      if (pending.length === 0) return applied
      // Set by a run that was killed outside of a transaction. Ours is the only run, so nothing else can hold it.
      await session.migrate.forceFreeMigrationsLock()
      // A file may have changed it.
      await session.raw('reset lock_timeout')
      // The database may be ahead of this code: during an upgrade, and after going back.
      const [, names] = await session.migrate.up({ migrationSource: source, disableMigrationsListValidation: true })
      applied.push(...names)
    }
  } finally {
    await session.destroy()
  }
}

/**
 * Counts the migrations that this code has and the database has not. Later ones in the database do not count.
 * Changes nothing, unlike knex's own list, which creates its tables.
 * @throws Error when the database is out of reach
 */
export async function pendingMigrations(db: Db): Promise<number> {
  const [names, applied] = await Promise.all([migrationFiles.getMigrations([]), readApplied(db)])
  return names.filter((name) => !applied.includes(name)).length
}

/**
 * Waits until no other run migrates this database, and keeps the turn until the session ends.
 * Polls, because a statement that waits for a lock keeps its snapshot, and `create index concurrently` in the other run
 * would wait for that snapshot: a deadlock.
 */
async function takeTurn(session: Db): Promise<void> {
  for (;;) {
    const rows = await queryRows<{ taken: boolean }>(
      session,
      `select pg_try_advisory_lock(hashtext('leadwell migrate')) as taken`,
    )
    if (only(rows).taken) return
    await sleep(TURN_INTERVAL)
  }
}

async function findPending(db: Db, source: MigrationSource): Promise<string[]> {
  const [names, applied] = await Promise.all([source.getMigrations([]), readApplied(db)])
  const pending = names.filter((name) => !applied.includes(name))
  const [newest] = applied.sort(byAge).slice(-1)
  const late = pending.find((name) => newest && byAge(name, newest) < 0)
  if (late) {
    throw new Error(
      `The migration ${late} is older than ${newest}, which this database already has. Nothing was applied. Rename the file to a time stamp of now (docs/migrations.md).`,
    )
  }
  return pending
}

async function readApplied(db: Db): Promise<string[]> {
  try {
    return await db('knex_migrations').pluck<string[]>('name')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === UNDEFINED_TABLE) return []
    throw error
  }
}

/** Returns whether a migration comes before another one. */
export const isOlder = (a: string, b: string): boolean => byAge(a, b) < 0

/**
 * Orders names of migrations. The first ones have fourteen digits and were dated up to six days ahead, so names of
 * fourteen digits come before all names with a real time stamp (`20261123T170000Z`).
 */
function byAge(a: string, b: string): number {
  const [first, second] = [a, b].map((name) => (/^\d{14}-/.test(name) ? `0${name}` : `1${name}`)) as [string, string]
  return first < second ? -1 : Number(first > second)
}
