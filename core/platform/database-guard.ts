import type pg from 'pg'
import { deriveKey, keyedHash } from './data-key.ts'
import { type Db, queryRows } from './db.ts'
import { knownMigrations } from './migrations.ts'

/** The exit code of a process whose settings do not fit its database (EX_CONFIG of sysexits.h). */
const WRONG_DATABASE = 78

/**
 * The oldest release that may run on this schema: one that knows this migration. Raise it with a migration that an older
 * release would break a promise on, and say which.
 */
export const NEEDS = {
  migration: '20261127T082952Z-one-time-tokens',
  why: 'An older release reads tables that are gone: no link to sign in or to choose a password would work.',
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

/** Returns the fingerprint of a key, which tells nothing about it. */
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

/**
 * Records which releases may run on this database from now on.
 * @throws Error when this release may not
 */
export async function recordNeeds(db: Db): Promise<void> {
  const [checks] = await queryRows<Checks>(db, 'select data_key_check, needs_migration, needs_why from network')
  const why = checks ? await reasonAgainst(checks) : null
  if (why !== null) throw new Error(why)
  // An older release that may run here does not make room for still older ones.
  if (checks?.needs_migration && checks.needs_migration >= NEEDS.migration) return
  await queryRows(db, 'update network set needs_migration = ?, needs_why = ?', [NEEDS.migration, NEEDS.why])
}
