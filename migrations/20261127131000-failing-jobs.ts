import type { Knex } from 'knex'

/** Deliveries that fail, by lead: the list of leads can be asked for a cause. Few, and none of them new. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index jobs_failing_idx on jobs (lead_id, last_cause)
      where last_cause is not null and state in ('failed', 'waiting', 'enqueued')
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index jobs_failing_idx')
}
