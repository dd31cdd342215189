import type { Knex } from 'knex'

/** A deleted lead is kept for weeks, in which nothing is done for it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Its jobs that were open, which go on if it is restored.
    alter table deleted_leads add column parked_jobs uuid[] not null default '{}';
    create index deleted_leads_time_idx on deleted_leads (deleted_at, id);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index deleted_leads_time_idx; alter table deleted_leads drop column parked_jobs')
}
