import type { Knex } from 'knex'

/** Drops the saved views of the list of leads. A filter is in the address, which a bookmark keeps. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop table lead_views')
}

/** Brings the table back empty. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lead_views (
      id integer generated always as identity primary key,
      owner_id integer references staff_accounts on delete cascade,
      name text not null check (length(name) between 1 and 60),
      query jsonb not null check (query #> '{filter,q}' is null),
      is_shared boolean not null default false,
      is_pinned boolean not null default true,
      created_at timestamptz not null default now()
    );
    create unique index lead_views_name_key on lead_views (owner_id, lower(name)) nulls not distinct;
  `)
}
