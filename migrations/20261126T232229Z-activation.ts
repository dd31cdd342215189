import type { Knex } from 'knex'

/** New providers of a sync get no leads before they are activated. Runs list values that they did not believe. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table providers add column activation text not null default 'activated'
      check (activation in ('activated', 'waiting', 'never'));
    create index providers_waiting_idx on providers (id) where activation = 'waiting';
    alter table provider_syncs add column doubts jsonb not null default '[]';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table providers drop column activation;
    alter table provider_syncs drop column doubts;
  `)
}
