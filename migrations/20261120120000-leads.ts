import type { Knex } from 'knex'

/** The way of a lead: zip codes, providers, leads with their consent, and the jobs that deliver them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create extension if not exists cube;
    create extension if not exists earthdistance;
    create extension if not exists btree_gist;

    create table zip_codes (
      zip text primary key check (zip ~ '^[0-9]{5}$'),
      latitude double precision not null check (latitude between -90 and 90),
      longitude double precision not null check (longitude between -180 and 180),
      city text,
      state text,
      location cube not null generated always as (ll_to_earth(latitude, longitude)) stored
    );

    -- The centre of a zip; of its first three digits where the table does not know it; else null. Callers that ask for
    -- every lead read zip_codes first and leave this to the rest: a function costs more than the look-up.
    create function zip_location(wanted text) returns cube language sql stable parallel safe as $$
      select coalesce(
        (select location from zip_codes where zip = wanted),
        (select ll_to_earth(avg(latitude), avg(longitude)) from zip_codes
          where zip between left(wanted, 3) || '00' and left(wanted, 3) || '99'))
    $$;

    create table providers (
      id integer generated always as identity primary key,
      wordpress_id integer unique,
      name text not null check (name <> ''),
      practice_name text,
      address text,
      zip_code text not null,
      status text not null default 't' check (status in ('t', 'f')),
      latitude double precision check (latitude between -90 and 90),
      longitude double precision check (longitude between -180 and 180),
      phone text,
      email text not null check (email <> ''),
      website text,
      url text,
      mpxapi text,
      domain text,
      google_ads_id text,
      bing_ads_id text,
      image_url text,
      logo_url text,
      accepts_free_consultation boolean not null default false,
      accepts_financing boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      last_seen_at timestamptz,
      missed_syncs integer not null default 0 check (missed_syncs >= 0),
      -- Where matching counts from: the coordinates, else the centre of the zip. Kept by the trigger below.
      location cube,
      check ((latitude is null) = (longitude is null))
    );
    create unique index providers_domain_key on providers (lower(domain));
    create index providers_zip_code_idx on providers (zip_code);
    create index providers_active_location_idx on providers using gist (location) where status = 't';

    create function locate_provider() returns trigger language plpgsql as $$
    begin
      new.location := coalesce(ll_to_earth(new.latitude, new.longitude), zip_location(new.zip_code));
      return new;
    end $$;
    create trigger locate_provider before insert or update of latitude, longitude, zip_code on providers
      for each row execute function locate_provider();

    create table leads (
      id integer generated always as identity primary key,
      first_name text not null check (first_name <> ''),
      last_name text not null check (last_name <> ''),
      email text not null check (email <> ''),
      phone text not null check (phone <> ''),
      zip_code text not null check (zip_code ~ '^[0-9]{5}$'),
      provider_id integer references providers (id),
      created_at timestamptz not null default now(),
      crm_sync_status text not null default 'pending' check (crm_sync_status in ('pending', 'success', 'failed')),
      acceptance_message text not null default '',
      acceptance_consent boolean not null default false,
      acceptance_ip text,
      matched_at timestamptz,
      match_kind text check (match_kind in ('chosen', 'nearest', 'staff')),
      match_distance_miles double precision check (match_distance_miles >= 0),
      crm_external_id text,
      attribution jsonb not null default '{}',
      idempotency_key text unique,
      -- What the form held, so that the same key with another body can be refused.
      request_hash text not null,
      -- The same person may not make a second lead while this lasts: the constraint holds whatever runs in parallel.
      person_key uuid not null,
      repeat_window tstzrange not null,
      constraint leads_no_repeat exclude using gist (person_key with =, repeat_window with &&),
      check ((provider_id is null) = (matched_at is null)),
      check ((provider_id is null) = (match_kind is null))
    );
    create index leads_provider_id_idx on leads (provider_id);

    -- Evidence of consent. It outlives its lead, holds no name, e-mail or phone, and is never changed.
    create table consents (
      lead_id integer primary key,
      wording text not null,
      wording_version text,
      wording_hash text not null,
      given_at timestamptz not null default now(),
      ip text,
      user_agent text,
      page_url text
    );
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name;
    end $$;
    create trigger consents_append_only before update or delete on consents
      for each row execute function refuse_change();

    -- The outbox, the ledger, and what staff see. A retry adds a generation; nothing is ever run from a finished row.
    create table jobs (
      id uuid primary key default gen_random_uuid(),
      name text not null check (name in ('match-lead', 'send-email', 'sync-crm')),
      purpose text not null,
      -- No foreign key: its three checks a lead cost a third of the leads per second. Jobs are only added together with
      -- their lead or under its lock, and deleted with it.
      lead_id integer not null,
      generation integer not null default 1 check (generation > 0),
      state text not null default 'waiting' check (state in ('waiting', 'enqueued', 'done', 'failed', 'cancelled')),
      attempts integer not null default 0 check (attempts >= 0),
      next_attempt_at timestamptz not null default now(),
      last_error text,
      result jsonb,
      created_at timestamptz not null default now(),
      enqueued_at timestamptz,
      finished_at timestamptz,
      unique (lead_id, name, purpose, generation),
      check ((state in ('done', 'failed', 'cancelled')) = (finished_at is not null)),
      check (state <> 'enqueued' or enqueued_at is not null)
    );
    create index jobs_waiting_idx on jobs (next_attempt_at) where state = 'waiting';
    create index jobs_enqueued_idx on jobs (enqueued_at) where state = 'enqueued';

    create table staff_sessions (
      id integer generated always as identity primary key,
      token_hash text not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );

    create table audit_log (
      id integer generated always as identity primary key,
      at timestamptz not null default now(),
      actor text not null,
      action text not null,
      entity text not null,
      entity_id text not null,
      details jsonb not null default '{}'
    );
    create index audit_log_entity_idx on audit_log (entity, entity_id, at);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table audit_log, staff_sessions, jobs, consents, leads, providers, zip_codes;
    drop function refuse_change, locate_provider, zip_location;
  `)
}
