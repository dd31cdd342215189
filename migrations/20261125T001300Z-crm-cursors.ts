import type { Knex } from 'knex'

/** How far the outcomes that a CRM is asked for have been read. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table crm_cursors (
      source text primary key,
      -- Every change before this time, by the clock of the CRM, is recorded.
      changed_since timestamptz not null default now(),
      -- The pass under way: its start by that clock, and the last record of the pages that are recorded.
      pass_began_at timestamptz,
      after_id text,
      -- When a worker may read on. The one that reads keeps it ahead.
      due_at timestamptz not null default now(),
      -- Counts the workers that have begun. Only the last of them may write.
      attempt integer not null default 1,
      failing_since timestamptz,
      failures integer not null default 0,
      error text,
      check ((pass_began_at is null) = (after_id is null)),
      check ((failing_since is null) = (failures = 0)),
      check ((failing_since is null) = (error is null))
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table crm_cursors')
}
