import type { Knex } from 'knex'

export const config = { transaction: false }

/** The schedule looks every minute for leads that wait for room. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_waiting_idx')
  await knex.raw(
    'create index concurrently leads_waiting_idx on leads (id) where provider_id is null and match_skipped is not null',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_waiting_idx')
}
