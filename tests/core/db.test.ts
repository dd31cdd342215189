import { randomUUID } from 'node:crypto'
import { it as base, describe, expect, inject } from 'vitest'
import { type Db, migrate, openDb, pendingMigrations } from '../../core/db.ts'
import { createDatabase, dropDatabase } from '../../local/postgres.ts'
import { down, up } from '../../migrations/20261120120000-leads.ts'
import { createLead } from '../support/factories.ts'

/** An empty database of the test's own. */
const it = base.extend<{ db: Db }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies from the pattern
  db: async ({}, use) => {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    const db = openDb(await createDatabase(inject('postgresUrl'), name))
    await use(db)
    await db.destroy()
    await dropDatabase(inject('postgresUrl'), name)
  },
})

const tables = (db: Db) =>
  db('information_schema.tables')
    .where('table_schema', 'public')
    .whereRaw(`table_name not like 'knex%'`)
    .orderBy('table_name')
    .pluck('table_name')

describe('migrate', () => {
  it('brings an empty database up to date, once', async ({ db }) => {
    expect(await pendingMigrations(db)).toBeGreaterThan(0)
    const applied = await migrate(db)
    expect(applied).toContain('20261120120000-leads')
    expect(await pendingMigrations(db)).toBe(0)
    expect(await migrate(db)).toEqual([])
    expect(await tables(db)).toEqual(expect.arrayContaining(['consents', 'jobs', 'leads', 'providers', 'zip_codes']))
  })

  it('takes turns with another run', async ({ db }) => {
    const runs = await Promise.allSettled([migrate(db), migrate(db)])
    expect(runs.map(({ status }) => status)).toContain('fulfilled')
    expect(await pendingMigrations(db)).toBe(0)
  })

  it('can be undone and done again', async ({ db }) => {
    await migrate(db)
    await down(db)
    expect(await tables(db)).toEqual([])
    expect(await db('pg_proc').whereRaw("pronamespace = 'public'::regnamespace and proname = 'zip_location'")).toEqual(
      [],
    )

    await up(db)
    expect(await createLead(db)).toBe(1)
  })
})

describe('pendingMigrations', () => {
  it('throws when the database is out of reach', async () => {
    const db = openDb('postgres://nobody@127.0.0.1:1/none')
    await expect(pendingMigrations(db)).rejects.toThrow('ECONNREFUSED')
    await db.destroy()
  })
})
