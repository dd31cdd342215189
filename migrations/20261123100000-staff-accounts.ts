import type { Knex } from 'knex'

/** Staff get accounts with roles; sessions belong to an account or to the shared password; guesses are counted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Never deleted, and the e-mail never changes: it is what the audit log knows them by.
    create table staff_accounts (
      id integer generated always as identity primary key,
      created_at timestamptz not null default now(),
      name text not null check (name <> ''),
      email text not null check (email <> ''),
      role text not null check (role in ('viewer', 'manager')),
      password_hash text not null check (password_hash <> ''),
      -- Set where somebody else has made the password: until then it is good for choosing one's own.
      password_expires_at timestamptz,
      disabled_at timestamptz
    );
    create unique index staff_accounts_email_key on staff_accounts (lower(email));

    -- A session of neither was opened by a version before this one, and is not taken any more.
    alter table staff_sessions
      add column account_id integer references staff_accounts on delete cascade,
      add column shared_fingerprint text,
      add column last_seen_at timestamptz not null default now(),
      add column ip text,
      add column user_agent text,
      add constraint staff_sessions_one_owner check (num_nonnulls(account_id, shared_fingerprint) <= 1);
    create index staff_sessions_account_idx on staff_sessions (account_id);

    create index audit_log_actor_idx on audit_log (actor, id);
    create index audit_log_at_idx on audit_log (at);

    -- Wrong passwords, in the shape that rate-limiter-flexible asks for; expire is in milliseconds since 1970.
    create table sign_in_attempts (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
    create index sign_in_attempts_expire_idx on sign_in_attempts (expire);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table sign_in_attempts;
    drop index audit_log_at_idx, audit_log_actor_idx;
    delete from staff_sessions;
    alter table staff_sessions drop column account_id, drop column shared_fingerprint, drop column last_seen_at,
      drop column ip, drop column user_agent;
    drop table staff_accounts;
  `)
}
