import type { Knex } from 'knex'

/** Accounts are known to an OpenID provider by its own, permanent names for people; a session knows that it came that way. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table staff_identities (
      issuer text not null,
      subject text not null,
      primary key (issuer, subject),
      account_id integer not null references staff_accounts on delete cascade,
      -- One person of a provider for each account.
      unique (account_id, issuer),
      linked_at timestamptz not null default now()
    );
    alter table staff_sessions add column by_single_sign_on boolean not null default false;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table staff_sessions drop column by_single_sign_on;
    drop table staff_identities;
  `)
}
