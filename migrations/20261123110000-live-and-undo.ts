import type { Knex } from 'knex'

/** A deletion can be taken back for a while; the overview reads leads by their time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Whole rows of leads, for as long as their deletion can be taken back. Apart from leads, so that no list, count,
    -- search or constraint has to know of them; as JSON, so that a new column of leads is kept without a change here.
    create table deleted_leads (
      id integer primary key,
      deleted_at timestamptz not null default now(),
      lead jsonb not null
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table deleted_leads')
}
