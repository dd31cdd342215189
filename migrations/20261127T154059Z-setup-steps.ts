import type { Knex } from 'knex'

/** Steps of the setup are no longer skipped. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table network drop column setup_skipped')
}
