import type { Knex } from 'knex'

/** Staff give a matched lead to another clinic, and take a match back within seconds. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The clinic that had the lead before, where an e-mail is about that. No foreign key, as for lead_id.
    alter table jobs add column previous_provider_id integer;

    -- What a match by staff has changed, while it can be taken back. Newer ones of a lead come first.
    create table match_changes (
      id bigint generated always as identity primary key,
      lead_id integer not null,
      changed_at timestamptz not null default now(),
      -- The lead's columns as they were before.
      before jsonb not null,
      added_jobs uuid[] not null,
      replaced_jobs uuid[] not null
    );
    create index match_changes_lead_idx on match_changes (lead_id, id);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table match_changes; alter table jobs drop column previous_provider_id')
}
