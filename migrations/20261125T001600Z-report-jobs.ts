import type { Knex } from 'knex'

export const config = { transaction: false }

/** The jobs of a report, of which each generation exists once. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists jobs_report_key')
  await knex.raw(`create unique index concurrently jobs_report_key on jobs (report_id, purpose, generation)
    where report_id is not null`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists jobs_report_key')
}
