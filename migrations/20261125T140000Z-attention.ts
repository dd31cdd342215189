import type { Knex } from 'knex'

/** What staff have set aside in "Needs attention", and since when nothing needs it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A mark hides a line until its version is higher: until there is news.
    create table attention_marks (
      key text primary key check (length(key) between 1 and 120),
      version bigint not null,
      -- Null: done.
      snoozed_until timestamptz,
      marked_at timestamptz not null default now(),
      marked_by text not null
    );
    create index attention_marks_time_idx on attention_marks (marked_at);

    create table attention_state (
      is_only boolean primary key default true check (is_only),
      -- Null while something needs attention.
      quiet_since timestamptz
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table attention_state; drop table attention_marks')
}
