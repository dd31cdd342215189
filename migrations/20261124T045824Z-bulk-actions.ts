import type { Knex } from 'knex'

/** Bulk actions are jobs: what they do, how far they are, and each row that they act on. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row per job of the kind "bulk", with what the ledger has no columns for. No foreign keys to jobs here: their checks
    -- would cost every deletion of a job a look into these tables.
    create table bulk_actions (
      job_id uuid primary key,
      actor text not null,
      -- Ids and settings of the action. Nothing about a visitor.
      input jsonb not null,
      total integer not null check (total > 0),
      -- As last written: bulk_items counts.
      done integer not null default 0,
      failed integer not null default 0,
      created_at timestamptz not null default now()
    );

    -- The list is written when the action is asked for, so that it does not change under it.
    create table bulk_items (
      job_id uuid not null,
      position integer not null,
      -- The lead to act on, or the owner of the delivery to retry.
      lead_id integer,
      application_id integer,
      account_id integer,
      sync_id integer,
      retried_job uuid,
      -- Set in the transaction of the act itself.
      acted_at timestamptz,
      -- The deliveries that the act has made, if their first attempts are waited for.
      added_jobs uuid[] not null default '{}',
      outcome text check (outcome in ('succeeded', 'failed', 'waiting')),
      -- Our own words. What the other side said about a delivery may name a visitor, and is read from its job.
      error text,
      primary key (job_id, position),
      check (outcome is null or acted_at is not null),
      check (error is null or outcome = 'failed')
    );
    create index bulk_items_open_idx on bulk_items (job_id, position) where acted_at is null;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table bulk_items;
    drop table bulk_actions;
    delete from job_attempts where job_id in (select id from jobs where name = 'bulk');
    delete from jobs where name = 'bulk';
  `)
}
