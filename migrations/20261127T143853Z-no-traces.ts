import type { Knex } from 'knex'

/** Jobs no longer carry a trace. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table jobs drop column trace_parent')
}
