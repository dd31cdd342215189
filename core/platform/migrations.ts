import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { STEPS } from '../../migrations/before-baseline/steps.ts'
import { SECOND } from '../contract/time.ts'
import { deriveKey, keyedHash } from './data-key.ts'
import { type Db, type MigrationSource, only, openSession, queryRows } from './db.ts'

/** SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = '42P01'
/** How often a run asks whether another run has ended. */
const TURN_INTERVAL = SECOND / 5
/** The last migration of the oldest release whose databases can be upgraded. */
const OLDEST = '20261126T063540Z-city-names'

export const MIGRATIONS = new URL('../../migrations/', import.meta.url)

/** Knex refuses a migration that cannot be undone. Nothing undoes one. */
const NO_WAY_BACK = { async down() {} }

/** The folder `migrations`. Names have no file ending, so that source (.ts) and build (.js) share one history. */
export const migrationFiles: MigrationSource = {
  async getMigrations() {
    const files = await readdir(MIGRATIONS)
    const names = files.filter((file) => /\.[jt]s$/.test(file)).map((file) => file.replace(/\.[jt]s$/, ''))
    return [...new Set(names)].sort()
  },
  getMigrationName: (name) => name,
  async getMigration(name) {
    const file = await import(new URL(`${name}${import.meta.url.slice(-3)}`, MIGRATIONS).href)
    return { ...NO_WAY_BACK, ...file }
  },
}

/** The changes that bring a database from before the baseline to its schema. */
const stepsBefore: Omit<MigrationSource, 'getMigrations'> = {
  getMigrationName: (name) => name,
  async getMigration(name) {
    const step = STEPS[name] ?? ''
    return {
      async up(knex) {
        const run = (sql: string) => knex.raw(sql.replaceAll('?', '\\?'))
        await (typeof step === 'string' ? run(step) : step(run))
      },
      ...NO_WAY_BACK,
      config: { transaction: typeof step === 'string' },
    }
  },
}

/** Returns the names of all migrations that this release knows, the oldest first. Those of before the baseline count. */
async function knownMigrations(): Promise<string[]> {
  return [...Object.keys(STEPS), ...(await migrationFiles.getMigrations([]))]
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
      const { from, pending } = await findPending(session, source)
      if (pending.length === 0) return applied
      // Set by a run that was killed outside of a transaction. Ours is the only run, so nothing else can hold it.
      await session.migrate.forceFreeMigrationsLock()
      // A file may have changed it.
      await session.raw('reset lock_timeout')
      // The database may be ahead of this code: during an upgrade, and after going back.
      const [, names] = await session.migrate.up({ migrationSource: from, disableMigrationsListValidation: true })
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

/**
 * Finds what to apply next. Once a database of before the baseline has its schema, it gets the baseline's name instead of
 * the names of what made it so.
 */
async function findPending(db: Db, source: MigrationSource): Promise<{ from: MigrationSource; pending: string[] }> {
  const names = await source.getMigrations([])
  const [baseline = ''] = names
  const applied = await readApplied(db)
  if (source === migrationFiles && applied.length > 0 && !applied.includes(baseline)) {
    const steps = Object.keys(STEPS)
    const done = steps.findLastIndex((name) => applied.includes(name))
    if (done < 0 && !applied.includes(OLDEST)) {
      throw new Error(
        'This database is older than the release of November 26, 2026, so nothing was changed. Start that release first (commit d4f6f887), then this one.',
      )
    }
    const pending = steps.slice(done + 1)
    if (pending.length > 0) return { from: { ...stepsBefore, getMigrations: async () => pending }, pending }
    await db.transaction(async (trx) => {
      await trx('knex_migrations').whereIn('name', applied).delete()
      await trx('knex_migrations').insert({ name: baseline, batch: 1, migration_time: trx.fn.now() })
    })
    return findPending(db, source)
  }
  const pending = names.filter((name) => !applied.includes(name))
  const [newest] = applied.sort().slice(-1)
  const late = pending.find((name) => newest && name < newest)
  if (late) {
    throw new Error(
      `The migration ${late} is older than ${newest}, which this database already has. Nothing was applied. Rename the file to a time stamp of now (docs/migrations.md).`,
    )
  }
  return { from: source, pending }
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

/**
 * The columns that API and worker may change in tables whose rows are evidence: they end a row, and what it says stays. The
 * columns of all others are theirs.
 */
const CHANGEABLE = {
  suppressions: ['lifted_at', 'lifted_by', 'lifted_because'],
  opt_outs: ['confirmed_at', 'confirmed_by', 'withdrawn_at'],
}

/**
 * Grants a role the rights of API and worker: to read and write rows; in append-only tables (those whose triggers call
 * `refuse_change`, or a similar name) only to read and add them; in the do-not-contact list to add rows and to end them; and to
 * read the list of migrations. Tables of later
 * migrations are granted when they are made, and `migrate` repeats all grants.
 * @param db a connection of the role that owns the tables
 */
export async function grantToApp(db: Db, role: string): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw(
      `grant usage on schema public to :role:;
       grant select, insert, update, delete on all tables in schema public to :role:;
       grant usage on all sequences in schema public to :role:;
       alter default privileges in schema public grant select, insert, update, delete on tables to :role:;
       alter default privileges in schema public grant usage on sequences to :role:;
       revoke insert, update, delete on knex_migrations, knex_migrations_lock from :role:`,
      { role },
    )
    // Bits of TRIGGER_TYPE_DELETE and _UPDATE. Source: PostgreSQL, src/include/catalog/pg_trigger.h.
    const rows = await queryRows<{ name: string; deletes: boolean; updates: boolean }>(
      trx,
      `select relname as name, bool_or(tgtype & 8 > 0) as deletes, bool_or(tgtype & 16 > 0) as updates from pg_trigger
       join pg_proc on pg_proc.oid = tgfoid join pg_class on pg_class.oid = tgrelid
       where proname ~ '^refuse_.*change$' and relnamespace = 'public'::regnamespace
       group by relname`,
    )
    for (const { name, deletes, updates } of rows) {
      const refused = ['truncate', ...(deletes ? ['delete'] : []), ...(updates ? ['update'] : [])]
      await trx.raw(`revoke ${refused.join(', ')} on ?? from ??`, [name, role])
    }
    for (const [table, columns] of Object.entries(CHANGEABLE)) {
      await trx.raw('revoke update, truncate on ?? from ??', [table, role])
      await trx.raw(`grant update (${columns.map(() => '??').join(', ')}) on ?? to ??`, [...columns, table, role])
    }
  })
}

/** Returns the role in a database URL. Returns undefined when there is none. */
export function roleOf(address: string): string | undefined {
  return decodeURIComponent(new URL(address).username) || undefined
}

/** The exit code of a process whose settings do not fit its database (EX_CONFIG of sysexits.h). */
const WRONG_DATABASE = 78

/**
 * The oldest release that may run on this schema: one that knows this migration. Raise it with a migration that an older
 * release would break a promise on, and say which.
 */
export const NEEDS = {
  migration: '20261127T150830Z-passkeys',
  why: 'An older release reads columns of the jobs that are gone: nothing would be delivered.',
}

/** The row of `network` that a process compares with itself. */
type Checks = { data_key_check: string | null; needs_migration: string | null; needs_why: string | null }

/** SQLSTATE of a table or a column that does not exist: the database was not migrated yet. */
const NOT_MIGRATED = ['42P01', '42703']
/** SQLSTATE of a database that takes no writes. */
const READ_ONLY = '25006'

const WRONG_KEY =
  'DATA_KEY is not the key of this database, so nothing was started: with another key, people who asked not to be contacted would be contacted. Put the right key back (docs/operations.md, “The data key”).'

/** Prints why this process may not use the database, and ends it. */
function refuse(why: string): never {
  console.error(why)
  process.exit(WRONG_DATABASE)
}

/**
 * Returns a check of each new connection, so that no statement reaches a database that this process may not use, also when
 * the database comes later than the process or is replaced under it. The first process on a database leaves the fingerprint
 * of its key there.
 * @param dataKey the key of this process; a process without one checks the release alone
 * @param onRefused gets the reason; by default it is printed, and the process ends with 78
 */
export function guardDatabase(
  dataKey: Buffer | undefined,
  onRefused: (why: string) => void = refuse,
): (connection: pg.Client) => Promise<void> {
  const fingerprint = dataKey && fingerprintOf(dataKey)
  return async (connection) => {
    const { rows } = await connection
      .query<Checks>('select data_key_check, needs_migration, needs_why from network')
      .catch((error: Error & { code?: string }) => {
        if (NOT_MIGRATED.includes(String(error.code))) return { rows: [] }
        throw error
      })
    const [checks] = rows
    if (!checks) return

    const why = (await reasonAgainst(checks)) ?? (await compareKey(connection, checks, fingerprint))
    if (why === null) return
    onRefused(why)
    throw new Error(why)
  }
}

/** Returns the fingerprint of a key, which reveals nothing about it. */
export function fingerprintOf(dataKey: Buffer): string {
  return keyedHash(deriveKey(dataKey, 'key-check'), 'leadwell')
}

async function compareKey(connection: pg.Client, { data_key_check: stored }: Checks, own: string | undefined) {
  if (own === undefined || own === stored) return null
  if (stored !== null) return WRONG_KEY
  // One statement: of two processes that come first, the second waits for the row and reads what the first has written.
  const { rows } = await connection
    .query<Checks>('update network set data_key_check = coalesce(data_key_check, $1) returning data_key_check', [own])
    .catch((error: Error & { code?: string }) => {
      if (error.code === READ_ONLY) return { rows: [] }
      throw error
    })
  return rows.every(({ data_key_check: now }) => now === own) ? null : WRONG_KEY
}

async function reasonAgainst({ needs_migration: needed, needs_why: why }: Checks): Promise<string | null> {
  if (needed === null || (await knownMigrations()).includes(needed)) return null
  return `This release is too old for its database, which was upgraded to one that has the migration ${needed}. ${why ?? ''} Start the newer release again (docs/operations.md, “Going back”).`
}

/** Records which releases may run on this database from now on. @throws Error when this release may not */
export async function recordNeeds(db: Db): Promise<void> {
  const [checks] = await queryRows<Checks>(db, 'select data_key_check, needs_migration, needs_why from network')
  const why = checks ? await reasonAgainst(checks) : null
  if (why !== null) throw new Error(why)
  // An older release that may run here does not make room for still older ones.
  if (checks?.needs_migration && checks.needs_migration >= NEEDS.migration) return
  await queryRows(db, 'update network set needs_migration = ?, needs_why = ?', [NEEDS.migration, NEEDS.why])
}
