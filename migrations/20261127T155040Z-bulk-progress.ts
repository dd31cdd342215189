import type { Knex } from 'knex'

/** The progress of a bulk action is counted from its rows. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table bulk_actions drop column done, drop column failed')
}
