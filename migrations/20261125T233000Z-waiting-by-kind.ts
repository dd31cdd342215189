import type { Knex } from 'knex'

export const config = { transaction: false }

/** The relay looks up the kinds of jobs that are not paused, and the breaker the oldest delivery of a kind. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists jobs_waiting_name_idx')
  await knex.raw(
    `create index concurrently jobs_waiting_name_idx on jobs (name, next_attempt_at) where state = 'waiting'`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists jobs_waiting_name_idx')
}
