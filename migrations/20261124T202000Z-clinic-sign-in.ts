import type { Knex } from 'knex'

/** The people of a clinic who may sign in to its own pages, their links and their sessions. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Besides the address that gets the clinic's requests, which may always sign in.
    create table clinic_people (
      id integer generated always as identity primary key,
      provider_id integer not null references providers,
      email text not null,
      added_at timestamptz not null default now(),
      added_by text not null,
      removed_at timestamptz,
      removed_by text,
      check ((removed_at is null) = (removed_by is null))
    );
    create unique index clinic_people_key on clinic_people (lower(email), provider_id) where removed_at is null;
    create index clinic_people_provider_idx on clinic_people (provider_id);
    create index providers_email_idx on providers (lower(email));

    -- A link to sign in, by the job that mails it. Only the hash of its token is stored.
    create table clinic_links (
      job_id uuid primary key,
      provider_id integer not null references providers,
      email text not null,
      requested_at timestamptz not null default now(),
      token_hash text unique,
      expires_at timestamptz,
      check ((token_hash is null) = (expires_at is null))
    );
    create index clinic_links_recent_idx on clinic_links (provider_id, requested_at);

    create table clinic_sessions (
      id integer generated always as identity primary key,
      provider_id integer not null references providers,
      email text not null,
      token_hash text not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ip text,
      user_agent text
    );
    create index clinic_sessions_provider_idx on clinic_sessions (provider_id);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table clinic_sessions;
    drop table clinic_links;
    drop index providers_email_idx;
    drop table clinic_people;
  `)
}
