import type { Knex } from 'knex'

/** One table has the tokens of all links that work once: to choose a password, and to sign in as a clinic. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table one_time_tokens (
      id integer generated always as identity primary key,
      purpose text not null check (purpose in ('invitation', 'reset', 'clinic_link')),
      account_id integer unique references staff_accounts on delete cascade,
      requested_by text,
      provider_id integer references providers,
      email text,
      page text,
      job_id uuid unique,
      requested_at timestamptz not null default now(),
      token_hash text unique,
      expires_at timestamptz,
      constraint one_time_tokens_subject check (
        case when purpose = 'clinic_link' then account_id is null and num_nulls(provider_id, email, job_id) = 0
          else provider_id is null and num_nulls(account_id, requested_by) = 0 end),
      constraint one_time_tokens_expire check ((token_hash is null) = (expires_at is null))
    );
    create index one_time_tokens_provider_idx on one_time_tokens (provider_id, requested_at);

    insert into one_time_tokens (purpose, account_id, requested_by, requested_at, token_hash, expires_at)
    select kind, account_id, requested_by, requested_at, token_hash, expires_at from staff_links;
    insert into one_time_tokens (purpose, provider_id, email, page, job_id, requested_at, token_hash, expires_at)
    select 'clinic_link', provider_id, email, page, job_id, requested_at, token_hash, expires_at from clinic_links;
    drop table staff_links, clinic_links;
  `)
}
