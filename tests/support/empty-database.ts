import { randomUUID } from 'node:crypto'
import { it as base, inject } from 'vitest'
import { type Db, openDb } from '../../core/platform/db.ts'
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
