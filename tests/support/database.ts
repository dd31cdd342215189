import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Db, openDb } from '../../core/db.ts'
import { createDatabase, dropDatabase } from '../../local/postgres.ts'
import { TEMPLATE } from './global-setup.ts'

export type TestDatabase = { db: Db; url: string; drop(): Promise<void> }

/** Creates a migrated database with every zip. The caller drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = await createDatabase(inject('postgresUrl'), name, TEMPLATE)
  const db = openDb(url)
  return {
    db,
    url,
    async drop() {
      await db.destroy()
      await dropDatabase(inject('postgresUrl'), name)
    },
  }
}

/** A database of this file's own, from the first test to the last. */
export function useDatabase(): Pick<TestDatabase, 'db' | 'url'> {
  const database = {} as TestDatabase

  beforeAll(async () => {
    Object.assign(database, await createTestDatabase())
  })
  afterAll(() => database.drop())
  return database
}

/** Empties what tests fill. The zips stay. */
export function emptyDatabase(db: Db): Promise<void> {
  return truncate(
    db,
    `leads, deleted_leads, consents, provider_applications, application_consents, jobs, job_attempts, providers,
     provider_syncs, staff_sessions, staff_accounts, sign_in_attempts, audit_log restart identity`,
  )
}

/** Empties tables, also while a process reads them: where its locks and these cross, it is tried again. */
export async function truncate(db: Db, tables: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.raw(`truncate ${tables}`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01' || attempt === 5) throw error
    }
  }
}
