import type { Knex } from 'knex'

/** The codes by which a clinic proves that it reads its mailbox, and opt-outs that a clinic has passed on. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row for each request, for the newest code. The code itself is in the e-mail only.
    create table request_codes (
      lead_id integer primary key,
      provider_id integer not null references providers,
      code_hash text not null,
      tries integer not null default 0,
      expires_at timestamptz not null
    );

    alter table suppressions
      drop constraint suppressions_reason_check,
      add constraint suppressions_reason_check check (reason in ('link', 'staff', 'stop', 'clinic'));
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table request_codes;
    update suppressions set reason = 'stop' where reason = 'clinic';
    alter table suppressions
      drop constraint suppressions_reason_check,
      add constraint suppressions_reason_check check (reason in ('link', 'staff', 'stop'));
  `)
}
