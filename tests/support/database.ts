import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Db, openDb } from '../../core/db.ts'
import { createDatabase, dropDatabase } from '../../local/postgres.ts'
import { TEMPLATE } from './global-setup.ts'

/** A migrated database with every zip, of this file's own, from the first test to the last. */
export function useDatabase(): { db: Db; url: string } {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const database = {} as { db: Db; url: string }

  beforeAll(async () => {
    database.url = await createDatabase(inject('postgresUrl'), name, TEMPLATE)
    database.db = openDb(database.url)
  })
  afterAll(async () => {
    await database.db.destroy()
    await dropDatabase(inject('postgresUrl'), name)
  })
  return database
}

/** Empties what tests fill. The zips stay. */
export async function emptyDatabase(db: Db): Promise<void> {
  await db.raw('truncate leads, consents, jobs, providers, staff_sessions, audit_log restart identity')
}
