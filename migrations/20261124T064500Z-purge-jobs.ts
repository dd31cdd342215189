import type { Knex } from 'knex'

export const config = { transaction: false }

/**
 * Purges are jobs: one open job of each purpose. `finished_at` is null as long as a job is open, and nulls are not distinct
 * here; settled jobs ended at different times. By the same index the settled ones are found.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists jobs_purge_key')
  await knex.raw(`create unique index concurrently jobs_purge_key on jobs (purpose, finished_at) nulls not distinct
    where name = 'purge'`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from job_attempts where job_id in (select id from jobs where name = 'purge')`)
  await knex.raw(`delete from jobs where name = 'purge'`)
  await knex.raw('drop index concurrently if exists jobs_purge_key')
}
