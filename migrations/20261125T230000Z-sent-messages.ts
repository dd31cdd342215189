import type { Knex } from 'knex'

/**
 * What was sent by a job of a lead: the e-mail that the mail server accepted, without its secrets, or the payload for the CRM.
 * It goes with its job, so it is deleted with the lead for good and comes back with a restored one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sent_messages (
      job_id uuid primary key references jobs on delete cascade,
      at timestamptz not null default now(),
      -- JSON, compressed with brotli.
      body bytea not null
    );
    -- It is compressed already.
    alter table sent_messages alter column body set storage external;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sent_messages')
}
