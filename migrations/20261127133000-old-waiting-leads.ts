import type { Knex } from 'knex'

/** Leads that are too old to be matched by a sync: staff are asked about them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table provider_syncs
      -- Those that a provider was in reach of at the end of the run, and the moment before which they came.
      add column old_leads integer[] not null default '{}',
      add column old_leads_before timestamptz
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table provider_syncs drop column old_leads_before, drop column old_leads')
}
