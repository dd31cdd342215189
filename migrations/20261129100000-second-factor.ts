import type { Knex } from 'knex'

/** Accounts get a second factor: an authenticator app, passkeys, and recovery codes for the loss of both. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table staff_totp (
      account_id integer primary key references staff_accounts on delete cascade,
      -- Nonce, ciphertext and tag (AES-256-GCM) of the base32 text.
      sealed_secret bytea not null,
      created_at timestamptz not null default now(),
      -- Until then it is being set up, and opens nothing.
      confirmed_at timestamptz,
      -- The newest time step of which a code was taken: each works once (RFC 6238, 5.2).
      last_step bigint,
      constraint staff_totp_confirmed_by_code check ((confirmed_at is null) = (last_step is null))
    );

    create table staff_passkeys (
      id integer generated always as identity primary key,
      account_id integer not null references staff_accounts on delete cascade,
      credential_id text not null unique check (credential_id <> ''),
      public_key bytea not null,
      counter bigint not null check (counter >= 0),
      transports text[] not null default '{}',
      name text not null check (name <> ''),
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index staff_passkeys_account_idx on staff_passkeys (account_id);

    create table staff_recovery_codes (
      account_id integer not null references staff_accounts on delete cascade,
      code_hash text not null,
      used_at timestamptz,
      primary key (account_id, code_hash)
    );

    -- Sign-ins whose password was right and whose second step is still to come.
    create table staff_pending_sign_ins (
      token_hash text primary key,
      account_id integer not null references staff_accounts on delete cascade,
      tries integer not null default 0,
      expires_at timestamptz not null
    );
    create index staff_pending_sign_ins_account_idx on staff_pending_sign_ins (account_id);

    -- What a passkey is to sign, for one purpose in one browser, which is known by the hash of its cookie.
    create table staff_challenges (
      token_hash text not null,
      purpose text not null check (purpose in ('sign-in', 'confirm', 'add')),
      challenge text not null,
      expires_at timestamptz not null,
      primary key (token_hash, purpose)
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table staff_challenges, staff_pending_sign_ins, staff_recovery_codes, staff_passkeys, staff_totp;
  `)
}
