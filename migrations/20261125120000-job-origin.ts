import type { Knex } from 'knex'

/** Where a job came from. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table jobs
      -- Of the call that made it, or that made the job that made it. Null where nobody called, as with a sync.
      add column request_id text,
      -- The trace that it is part of (W3C Trace Context). Null unless OpenTelemetry is on.
      add column trace_parent text
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table jobs drop column trace_parent, drop column request_id')
}
