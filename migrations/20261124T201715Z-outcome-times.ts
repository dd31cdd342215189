import type { Knex } from 'knex'

/** The CRM may tell an outcome long after it happened, and in any order. `at` stays the time at which it was recorded. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table lead_outcomes add column happened_at timestamptz not null default now()')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table lead_outcomes drop column happened_at')
}
