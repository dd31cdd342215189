import type { Knex } from 'knex'

/** Jobs that were made again: few, so that the overview sees at a glance that the others are the newest of their kind. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index jobs_again_idx on jobs (lead_id) where generation > 1')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index jobs_again_idx')
}
