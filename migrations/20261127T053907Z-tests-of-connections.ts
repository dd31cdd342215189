import type { Knex } from 'knex'

export const config = { transaction: false }

/** Finds the tests of the mail server and the CRM among all jobs. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists jobs_test_idx')
  await db.raw(`create index concurrently jobs_test_idx on jobs (name) where purpose = 'test'`)
}
