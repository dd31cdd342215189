import { describe, expect, onTestFinished } from 'vitest'
import { DEFAULT_TIME_ZONE } from '../../core/env.ts'
import { openDbToPrepare, prepareDatabase } from '../../core/migrate.ts'
import { type Db, type MigrationSource, openDb } from '../../core/platform/db.ts'
import { migrate, pendingMigrations } from '../../core/platform/migrations.ts'
import { createTestDatabase } from '../support/database.ts'
import { it } from '../support/empty-database.ts'

const tables = (db: Db) =>
  db('information_schema.tables')
    .where('table_schema', 'public')
    .whereRaw(`table_name not like 'knex%'`)
    .orderBy('table_name')
    .pluck('table_name')

const OF_TOMORROW = '20991231T120000Z-of-tomorrow'

/** Migrations that no file has. */
function migrationsOf(
  files: Record<string, (knex: Db) => PromiseLike<unknown>>,
  config = { transaction: true },
): MigrationSource {
  return {
    getMigrations: async () => Object.keys(files),
    getMigrationName: (name) => name,
    getMigration: async (name) => ({
      async up(knex) {
        await files[name]?.(knex)
      },
      async down() {},
      config,
    }),
  }
}

describe('migrate', () => {
  it('brings an empty database up to date, once', async ({ db }) => {
    expect(await pendingMigrations(db)).toBeGreaterThan(0)
    const applied = await migrate(db)
    expect(applied[0]).toMatch(/-baseline$/)
    expect(await pendingMigrations(db)).toBe(0)
    expect(await migrate(db)).toEqual([])
    expect(await tables(db)).toEqual(expect.arrayContaining(['consents', 'jobs', 'leads', 'providers', 'zip_codes']))
  })

  it('does not wait for long for what somebody else uses, because others wait behind it', async ({ url, db }) => {
    await migrate(db)
    const other = await db.transaction()
    await other.raw('lock table leads')
    const patient = openDbToPrepare(url, { poolSize: 1, name: 'test' })
    const source = migrationsOf({ [OF_TOMORROW]: (knex) => knex.raw('alter table all_leads add column note text') })
    await expect(migrate(patient, { lockTimeout: 200, source })).rejects.toThrow('lock timeout')

    await other.rollback()
    expect(await migrate(patient, { source })).toEqual([OF_TOMORROW])
    await patient.destroy()
  })
})

describe('each migration', () => {
  const [FIRST, SECOND, THIRD] = ['20261130T100000Z-first', '20261130T110000Z-second', '20261130T120000Z-third']
  const createTable = (name: string) => (knex: Db) => knex.raw('create table ?? (number integer)', [name])

  it('is a transaction of its own: a failure leaves the earlier ones applied, and the next run goes on', async ({
    db,
  }) => {
    const createAndFail = (knex: Db) => knex.raw('create table halves (number integer); select 1 / 0')
    const files = { [FIRST]: createTable('one'), [SECOND]: createAndFail, [THIRD]: createTable('three') }
    await expect(migrate(db, { source: migrationsOf(files) })).rejects.toThrow('division by zero')
    expect(await tables(db)).toEqual(['one'])

    const mended = migrationsOf({ ...files, [SECOND]: createTable('two') })
    expect(await migrate(db, { source: mended })).toEqual([SECOND, THIRD])
    expect(await tables(db)).toEqual(['one', 'three', 'two'])
  })

  it('is refused when it is older than an applied one, and nothing is applied', async ({ db }) => {
    await migrate(db, { source: migrationsOf({ [SECOND]: createTable('two') }) })
    const source = migrationsOf({
      [FIRST]: createTable('one'),
      [SECOND]: createTable('two'),
      [THIRD]: createTable('three'),
    })
    await expect(migrate(db, { source })).rejects.toThrow(
      `The migration ${FIRST} is older than ${SECOND}, which this database already has. Nothing was applied. Rename the file to a time stamp of now (docs/migrations.md).`,
    )
    expect(await tables(db)).toEqual(['two'])
  })

  it('can create an index concurrently, and again after a failure left an invalid one, while another run waits', async ({
    db,
  }) => {
    const source = migrationsOf(
      {
        async [FIRST](knex) {
          await knex.raw('set lock_timeout = 0')
          await knex.raw('drop index concurrently if exists things_idx')
          await knex.raw('create unique index concurrently things_idx on things (number)')
        },
      },
      { transaction: false },
    )
    const readValid = () => db('pg_index').whereRaw('indexrelid = to_regclass(?)', ['things_idx']).pluck('indisvalid')
    await db.raw('create table things (number integer); insert into things values (1), (1)')
    await expect(migrate(db, { source })).rejects.toThrow('could not create unique index')
    expect(await readValid()).toEqual([false])

    await db.raw('truncate things')
    const runs = await Promise.all([migrate(db, { source }), migrate(db, { source })])
    expect(runs.flat()).toEqual([FIRST])
    expect(await readValid()).toEqual([true])
  })

  it('runs after a run that was killed without a transaction', async ({ db }) => {
    await migrate(db, { source: migrationsOf({ [FIRST]: createTable('one') }) })
    await db('knex_migrations_lock').update({ is_locked: 1 })
    expect(await migrate(db, { source: migrationsOf({ [SECOND]: createTable('two') }) })).toEqual([SECOND])
  })

  it('waits for a table no longer than the limit, whatever an earlier one has set', async ({ url, db }) => {
    const patient = openDbToPrepare(url, { poolSize: 1, name: 'test' })
    onTestFinished(() => patient.destroy())
    const limits: string[] = []
    const readLimit = async (knex: Db) => {
      const { rows } = await knex.raw('show lock_timeout')
      limits.push(rows[0].lock_timeout)
      await knex.raw('set lock_timeout = 0')
    }
    const source = migrationsOf({ [FIRST]: readLimit, [SECOND]: readLimit })
    await migrate(patient, { source, lockTimeout: 7000 })
    expect(limits).toEqual(['7s', '7s'])
    expect(await db('knex_migrations').pluck('name')).toEqual([FIRST, SECOND])
  })
})

it('a database that is ahead of this code has nothing pending, and is left as it is', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await db('knex_migrations').insert({ name: OF_TOMORROW, batch: 2 })
  const before = await db('knex_migrations').orderBy('id')

  expect(await pendingMigrations(db)).toBe(0)
  expect((await prepareDatabase(db, DEFAULT_TIME_ZONE)).migrations).toEqual([])
  expect(await db('knex_migrations').orderBy('id')).toEqual(before)
})

describe('pendingMigrations', () => {
  it('makes nothing in an empty database', async ({ db }) => {
    await pendingMigrations(db)
    expect(await db('pg_tables').where('schemaname', 'public')).toEqual([])
  })

  it('throws when the database is out of reach', async () => {
    const db = openDb('postgres://nobody@127.0.0.1:1/none')
    await expect(pendingMigrations(db)).rejects.toThrow('ECONNREFUSED')
    await db.destroy()
  })
})
