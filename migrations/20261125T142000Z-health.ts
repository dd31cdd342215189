import type { Knex } from 'knex'

/** Pauses of sending to the CRM and of e-mails, and signs of life of the workers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The latest pause of each integration. A pause of staff is over at its end. One of the breaker lasts until a delivery
    -- that is let through as a probe has got an answer, and its end is the time of the next probe.
    create table sending_pauses (
      integration text primary key check (integration in ('crm', 'mail')),
      kind text not null check (kind in ('staff', 'breaker')),
      until timestamptz not null,
      reason text not null,
      paused_by text not null,
      paused_at timestamptz not null default now(),
      -- Where it was ended before its time, or by a probe.
      ended_at timestamptz,
      -- The pauses of the breaker in a row. Each is longer than the one before.
      trips integer not null default 0 check (trips >= 0),
      probe_job_id uuid,
      probe_since timestamptz,
      check (kind = 'breaker' or probe_job_id is null),
      check ((probe_job_id is null) = (probe_since is null))
    );

    -- Written by each worker as long as it takes up jobs.
    create table worker_heartbeats (
      id uuid primary key,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      stopped_at timestamptz
    ) with (fillfactor = 50);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table worker_heartbeats, sending_pauses')
}
