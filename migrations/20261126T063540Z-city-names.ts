import type { Knex } from 'knex'

/** Makes cities easy to find by the beginning of their name, in any collation. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index zip_codes_city_idx on zip_codes (lower(city) text_pattern_ops, state)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index zip_codes_city_idx')
}
