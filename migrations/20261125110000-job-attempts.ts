import type { Knex } from 'knex'

/** Every attempt at a job, also one that was cut off. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Written when an attempt begins, and filled in when it ends; one that never ended has no outcome. What the other
    -- side said may name a visitor, so attempts are deleted with their job. No foreign key here either: its check would
    -- lock and write the row of the job once more for each attempt.
    create table job_attempts (
      job_id uuid not null,
      started_at timestamptz not null default now(),
      duration_ms integer check (duration_ms >= 0),
      outcome text check (outcome in ('done', 'failed', 'cancelled')),
      -- The HTTP or SMTP status, where there was an answer.
      status integer,
      error text,
      -- Where it is tried again.
      next_attempt_at timestamptz,
      primary key (job_id, started_at),
      check ((outcome is null) = (duration_ms is null)),
      check (next_attempt_at is null or outcome = 'failed')
    -- Room on each page for its rows to be filled in: then their end costs no second entry in the index.
    ) with (fillfactor = 60);
    -- For the purge. Rows come in the order of their time, so that a few bytes for each hundred pages are enough.
    create index job_attempts_started_at_idx on job_attempts using brin (started_at);

    -- What failed since a moment. Few, and none of them new.
    create index jobs_failed_idx on jobs (finished_at) where state = 'failed';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index jobs_failed_idx; drop table job_attempts')
}
