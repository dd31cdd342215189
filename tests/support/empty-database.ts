import { randomUUID } from 'node:crypto'
import { it as base, inject } from 'vitest'
import { type Db, type MigrationSource, openDb } from '../../core/platform/db.ts'
import { migrationFiles } from '../../core/platform/migrations.ts'
import { createDatabase, dropDatabase } from '../../local/postgres.ts'

/** A test with a database of its own, which is empty: no migration has run. */
export const it = base.extend<{ url: string; db: Db }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies from the pattern
  url: async ({}, use) => {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await use(await createDatabase(inject('postgresUrl'), name))
    await dropDatabase(inject('postgresUrl'), name)
  },
  db: async ({ url }, use) => {
    const db = openDb(url)
    await use(db)
    await db.destroy()
  },
})

type Migration = Awaited<ReturnType<MigrationSource['getMigration']>> & {
  name: string
  config?: { transaction: boolean }
}

/** Reads every migration, oldest first. */
export async function readMigrations(): Promise<Migration[]> {
  const names = await migrationFiles.getMigrations([])
  return Promise.all(names.map(async (name) => ({ name, ...(await migrationFiles.getMigration(name)) })))
}
