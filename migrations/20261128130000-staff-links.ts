import type { Knex } from 'knex'

/**
 * Invitations and resets become links that are mailed to the account's own address; sessions know when they were last
 * confirmed and when they end for lack of use; the shared password can be switched off.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One-time passwords that a manager has seen open nothing any more. Their owners are sent a link.
    -- The column that says which these are stays for the version before this one, which runs while this is done.
    alter table staff_accounts alter column password_hash drop not null;
    update staff_accounts set password_hash = null where password_expires_at is not null;

    -- One for each account: a new link ends the one before. The token is made when the mail is sent, and only its hash
    -- is stored. The link lives from then on.
    create table staff_links (
      account_id integer primary key references staff_accounts on delete cascade,
      kind text not null check (kind in ('invitation', 'reset')),
      requested_at timestamptz not null default now(),
      requested_by text not null,
      token_hash text unique,
      expires_at timestamptz,
      constraint staff_links_expire check ((token_hash is null) = (expires_at is null))
    );

    alter table staff_sessions
      add column confirmed_at timestamptz not null default now(),
      add column idle_ends_at timestamptz not null default now() + interval '30 minutes';

    create table staff_settings (
      only_row boolean primary key default true check (only_row),
      shared_password_off_at timestamptz
    );

    -- Not valid: new rows are checked, and those that there are need not be read, while nothing can be written.
    alter table jobs
      add column account_id integer,
      drop constraint jobs_one_owner,
      add constraint jobs_one_owner check (num_nonnulls(lead_id, application_id, account_id) = 1) not valid,
      add constraint jobs_of_accounts check (account_id is null or name = 'send-email') not valid;
    create unique index jobs_account_key on jobs (account_id, name, purpose, generation) where account_id is not null;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from job_attempts where job_id in (select id from jobs where account_id is not null);
    delete from jobs where account_id is not null;
    alter table jobs
      drop column account_id,
      add constraint jobs_one_owner check (num_nonnulls(lead_id, application_id) = 1) not valid;
    drop table staff_settings, staff_links;
    alter table staff_sessions drop column confirmed_at, drop column idle_ends_at;
    delete from staff_accounts where password_hash is null;
    alter table staff_accounts alter column password_hash set not null;
  `)
}
