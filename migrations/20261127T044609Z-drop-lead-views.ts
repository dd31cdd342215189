import type { Knex } from 'knex'

/** Drops the saved views of the list of leads. A filter is in the address, which a bookmark keeps. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop table lead_views')
}
