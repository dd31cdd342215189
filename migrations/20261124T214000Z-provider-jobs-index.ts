import type { Knex } from 'knex'

export const config = { transaction: false }

/** The jobs that belong to a clinic itself. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists jobs_provider_idx')
  await knex.raw(`create index concurrently jobs_provider_idx on jobs (told_provider_id, purpose, generation)
    where lead_id is null and application_id is null and account_id is null and sync_id is null`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists jobs_provider_idx')
}
