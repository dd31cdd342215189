import type { Knex } from 'knex'

export const config = { transaction: false }

/** Lists leave test leads out by their ids, so that they still read an index alone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_test_idx')
  await knex.raw('create index concurrently leads_test_idx on leads (id) where is_test')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_test_idx')
}
