import type { Knex } from 'knex'

export const config = { transaction: false }

/** Lists are filtered by outcome, the newest first. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table leads validate constraint leads_outcome_check')
  await knex.raw('alter table leads validate constraint leads_outcome_at_check')
  await knex.raw('drop index concurrently if exists leads_outcome_idx')
  await knex.raw(
    'create index concurrently leads_outcome_idx on leads (outcome, created_at, id) where outcome is not null',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_outcome_idx')
}
