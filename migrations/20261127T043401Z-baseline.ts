import type { Knex } from 'knex'

/** Creates the schema. `npm run migrate` brings databases of before here: migrations/before-baseline. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(SCHEMA.replaceAll('?', '\\?'))
}

/** Nothing: a database without its schema is dropped whole. */
export async function down(): Promise<void> {}

const SCHEMA = String.raw`
create extension if not exists cube;
create extension if not exists earthdistance;
create extension if not exists btree_gist;

-- Folds letters as core/contract/folding.ts does.
create function folded(value text) returns text language plpgsql immutable parallel safe strict as $$
    declare
      plain text;
    begin
      if octet_length(value) = length(value) then
        return lower(value);
      end if;
      plain := lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'));
      plain := translate(plain, 'łŁøØđĐðÐıħĦŧŦŋŊĸəƏƒƑʻʼʾʿ', 'llooddddihhttnnkeeff''''''''');
      return replace(replace(replace(replace(replace(replace(replace(replace(plain, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th');
    end $$;

-- The digits of each phone number in a field, without the country code of the USA, and those of the whole field if
-- that is something else. core/contract/phones.ts and core/leads/rules/phone-numbers.ts do the same.
create function phone_digits(phone text) returns text[] language plpgsql immutable parallel safe strict as $$
    declare
      plain text := phone;
      found text[] := '{}';
      piece text;
      rest text;
      part text;
      digits text := regexp_replace(phone, '[^0-9]', '', 'g');
    begin
      -- Almost every field is one plain number. The rest takes three times as long.
      if phone ~ '^[+]{0,1}[0-9 ().-]+$' and digits ~ '^1{0,1}[2-9][0-9]{2}[2-9][0-9]{6}$' then
        return array[right(digits, 10)];
      end if;
      if octet_length(phone) > length(phone) then
        plain := translate(
          regexp_replace(normalize(phone, nfkc), '[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]', '', 'g'),
          '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
      end if;
      for piece in
        select match[1] from regexp_matches(
          -- Without extensions.
          regexp_replace(plain,
            '(ext(ension|n){0,1}|x|#|[;,])[ .:=,]*(ext[ .:=]*){0,1}[0-9]{1,7}(?![ ().-]*[0-9])', ';', 'gi'),
          '([+]{0,1}[0-9(][0-9 \t-\r()./_~\u2010-\u2015\u2212·•*-]*)', 'g'
        ) match
      loop
        rest := regexp_replace(piece, '^([+]|[(]{0,1}(00|011))', '');
        if rest <> piece and regexp_replace(rest, '[^0-9]', '', 'g') !~ '^1' then
          -- A number abroad.
          digits := regexp_replace(split_part(replace(rest, '(0)', ''), '/', 1), '[^0-9]', '', 'g');
          if digits ~ '^[2-9][0-9]{6,14}$' then
            found := found || digits;
          end if;
        else
          digits := '';
          foreach part in array regexp_split_to_array(rest, '[^0-9]+') loop
            digits := digits || part;
            if digits ~ '^1{0,1}[2-9][0-9]{2}[2-9][0-9]{6}$' then
              found := found || right(digits, 10);
              digits := '';
            end if;
          end loop;
        end if;
      end loop;
      digits := regexp_replace(regexp_replace(plain, '[^0-9]', '', 'g'), '^1([0-9]{10})$', '\1');
      if digits <> '' and digits <> all(found) then
        found := found || digits;
      end if;
      return found;
    end $$;

create function lead_words(names text, email text, phone text, zip_code text) returns tsvector
  language plpgsql immutable parallel safe strict as $$
    declare
      digits text;
      words text[] := array[lower(email), zip_code];
    begin
      -- Where an index is built, functions cannot call each other by their bare names.
      foreach digits in array public.phone_digits(phone) loop
        words := words || array[digits, right(digits, 7), right(digits, 4)];
      end loop;
      return array_to_tsvector(array_remove(
        regexp_split_to_array(translate(names, '''’‘ʼ${'`'}', ''), '[\s!-/:-@[-${'`'}{-~]+') || words, ''));
    end $$;

create function start_of_day(day date, zone text) returns timestamptz language sql immutable parallel safe as $$
      select (day::timestamp - interval '1 microsecond') at time zone zone + interval '1 microsecond'
    $$;

-- One mailbox for all spellings. Gmail ignores dots, and its two domains are one
-- (https://support.google.com/mail/answer/7436150).
create function recipient_of(email text)
  returns text language sql immutable parallel safe strict
  return case
    when lower(email) ~ '^[^@]*@(gmail|googlemail)\.com$'
      then replace(split_part(regexp_replace(lower(email), '\+[^@]*@', '@'), '@', 1), '.', '') || '@gmail.com'
    else lower(regexp_replace(email, '\+[^@]*@', '@'))
  end;

-- A UUID of version 7: ids in the order of time keep the index of the table small.
create function time_ordered_id() returns uuid language sql parallel safe as $$
      select encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid())
            placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1),
        'hex')::uuid
    $$;

create function national_digits(phone text)
  returns text language sql immutable parallel safe strict
  return coalesce((phone_digits(phone))[1], '');

create function lead_source(attribution jsonb) returns text language sql immutable parallel safe as $$
    select lower(coalesce(
      nullif(trim(coalesce(attribution->'last', attribution->'first')->>'utm_source'), ''),
      coalesce(coalesce(attribution->'last', attribution->'first')->>'network', case when coalesce(attribution->'last', attribution->'first') ?| array['gclid', 'gbraid', 'wbraid'] then 'google'
  when coalesce(attribution->'last', attribution->'first') ? 'msclkid' then 'microsoft' when coalesce(attribution->'last', attribution->'first') ? 'fbclid' then 'facebook' end),
      nullif(regexp_replace(split_part(coalesce(attribution->'last', attribution->'first')->>'referrer', '/', 3), '^www[.]', ''), '')
    ))
  $$;

create function lead_campaign(attribution jsonb) returns text language sql immutable parallel safe as $$
      select lower(nullif(trim(coalesce(attribution->'last', attribution->'first')->>'utm_campaign'), ''))
    $$;

create function name_words(names text) returns tsvector language sql immutable parallel safe strict as $$
      select array_to_tsvector(array_remove(
        regexp_split_to_array(translate(names, '''’‘ʼ${'`'}', ''), '[\s!-/:-@[-${'`'}{-~]+'), ''))
    $$;

create table zip_codes (
  zip text primary key check (zip ~ '^[0-9]{5}$'),
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  city text,
  state text,
  location cube generated always as (ll_to_earth(latitude, longitude)) stored not null
);
create index zip_codes_state_idx on zip_codes (state);
create index zip_codes_city_idx on zip_codes (lower(city) text_pattern_ops, state);
create index zip_codes_words_idx on zip_codes using gin (name_words(folded((coalesce(city, '') || ' ' || coalesce(state,
  '')))));

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
  location cube,
  placed_at timestamptz not null default now(),
  new_email text check (new_email <> ''),
  new_email_at timestamptz,
  new_email_sync_id integer,
  new_email_declined boolean not null default false,
  hidden boolean not null default false,
  match_priority smallint not null default 0,
  activation text not null default 'activated' check (activation in ('activated', 'waiting', 'never')),
  check ((latitude is null) = (longitude is null)),
  constraint providers_new_email_whole check ((new_email is null) = (new_email_at is null)),
  constraint providers_new_email_other check (new_email <> email)
);
create unique index providers_domain_key on providers (lower(domain));
create index providers_zip_code_idx on providers (zip_code);
create index providers_active_location_idx on providers using gist (location) where status = 't';
create index providers_email_idx on providers (lower(email));
create index providers_preferred_location_idx on providers using gist (location) where status = 't' and match_priority = 1;
create index providers_words_idx on providers using gin (name_words(folded(name || ' ' || coalesce(practice_name, ''))));
create index providers_waiting_idx on providers (id) where activation = 'waiting';

create table all_leads (
  id integer generated always as identity (sequence name leads_id_seq),
  first_name text not null,
  last_name text not null,
  email text not null,
  phone text not null,
  zip_code text not null,
  provider_id integer,
  created_at timestamptz not null default now(),
  crm_sync_status text not null default 'pending',
  acceptance_message text not null default '',
  acceptance_consent boolean not null default false,
  matched_at timestamptz,
  match_kind text,
  match_distance_miles double precision,
  crm_external_id text,
  attribution jsonb not null default '{}',
  idempotency_key text,
  request_hash text not null,
  person_key uuid not null,
  repeat_window tstzrange not null,
  held_reason text,
  email_status text not null default 'pending',
  unreached_at timestamptz,
  reference bigint,
  outcome text,
  outcome_at timestamptz,
  match_skipped jsonb,
  repeat_of integer,
  is_test boolean not null default false,
  deleted_at timestamptz,
  constraint leads_pkey primary key (id),
  constraint leads_no_repeat exclude using gist (person_key with =, repeat_window with &&),
  constraint leads_provider_id_fkey foreign key (provider_id) references providers(id),
  constraint leads_first_name_check check (first_name <> ''),
  constraint leads_last_name_check check (last_name <> ''),
  constraint leads_email_check check (email <> ''),
  constraint leads_phone_check check (phone <> ''),
  constraint leads_crm_sync_status_check check (crm_sync_status in ('pending', 'success', 'failed')),
  constraint leads_match_distance_miles_check check (match_distance_miles >= 0),
  constraint leads_check check ((provider_id is null) = (matched_at is null)),
  constraint leads_check1 check ((provider_id is null) = (match_kind is null)),
  constraint leads_email_status_check check (email_status in ('pending', 'success', 'failed')),
  constraint leads_outcome_at_check check ((outcome is null) = (outcome_at is null)),
  constraint leads_match_kind_check check (match_kind in ('chosen', 'nearest', 'staff', 'again')),
  constraint leads_repeat_of_check check (repeat_of < id),
  constraint leads_held_reason_check check (held_reason in ('honeypot', 'too_fast', 'odd_name', 'many_to_visitor', 'other_site',
    'unknown_wording', 'do_not_contact', 'many_to_clinic', 'many_in_all', 'many_from_address')),
  constraint leads_zip_code_check check (length(zip_code) between 1 and 10),
  constraint leads_outcome_check check (outcome in ('opened', 'reached', 'no_answer', 'booked', 'attended', 'no_show',
    'treated', 'declined', 'opted_out', 'wrong_number'))
) with (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.02);
create index leads_unreached_idx on all_leads (created_at) where unreached_at is not null;
create index leads_held_reason_idx on all_leads (held_reason, created_at) where held_reason is not null;
create index leads_crm_external_id_idx on all_leads (crm_external_id) where crm_external_id is not null;
create index leads_waiting_idx on all_leads (id) where provider_id is null and match_skipped is not null;
create index leads_held_email_idx on all_leads (lower(email)) where held_reason is not null;
create index leads_source_idx on all_leads (lead_source(attribution), id);
create index leads_campaign_idx on all_leads (lead_campaign(attribution), id) where lead_campaign(attribution) is not null;
create index leads_recipient_idx on all_leads (recipient_of(email)) where held_reason is null or held_reason = 'do_not_contact';
create index leads_names_idx on all_leads using gin (name_words(folded(first_name || ' ' || last_name || ' ' || zip_code)))
  with (fastupdate = on, gin_pending_list_limit = 128);
create index leads_words_idx on all_leads using gin (lead_words(folded(first_name || ' ' || last_name), email, phone, zip_code))
  with (fastupdate = on, gin_pending_list_limit = 128);
create index leads_phone_idx on all_leads (national_digits(phone), id);
create index leads_list_idx on all_leads (created_at, id) include (crm_sync_status, email_status, provider_id, held_reason)
  where deleted_at is null;
create index leads_name_idx on all_leads (folded(last_name || ' ' || first_name) collate "C", id) include (last_name,
  first_name, created_at, crm_sync_status, email_status, provider_id, held_reason) where deleted_at is null;
create index leads_zip_code_idx on all_leads (zip_code, id) include (created_at, crm_sync_status, email_status, provider_id,
  held_reason) where deleted_at is null;
create index leads_provider_idx on all_leads (provider_id, created_at, id) include (crm_sync_status, email_status, held_reason)
  where deleted_at is null;
create index leads_failed_idx on all_leads (created_at, id) include (crm_sync_status, email_status, provider_id, held_reason)
  where (crm_sync_status = 'failed' or email_status = 'failed') and deleted_at is null;
create index leads_held_idx on all_leads (id) where held_reason is not null and deleted_at is null;
create index leads_test_idx on all_leads (id) where is_test and deleted_at is null;
create index leads_outcome_idx on all_leads (outcome, created_at, id) where outcome is not null and deleted_at is null;
create index leads_repeat_idx on all_leads (created_at, id) where repeat_of is not null and deleted_at is null;
create index all_leads_deleted_idx on all_leads (deleted_at, id) where deleted_at is not null;
create unique index leads_idempotency_key_idx on all_leads (idempotency_key) where idempotency_key is not null
  and deleted_at is null;

create table consents (
  lead_id integer primary key,
  wording text not null,
  wording_version text,
  wording_hash text not null,
  given_at timestamptz not null default now(),
  ip text,
  user_agent text,
  page_url text,
  reference bigint,
  sharing_version text,
  sharing_wording text,
  mac text,
  channel text check (channel in ('form', 'api', 'other_site', 'phone')),
  ip_hash text,
  browser_hash text
);
create index consents_details_idx on consents (given_at) where ip is not null or user_agent is not null;

create table jobs (
  id uuid default time_ordered_id() primary key,
  name text not null,
  purpose text not null,
  lead_id integer,
  generation integer not null default 1 check (generation > 0),
  state text not null default 'waiting' check (state in ('waiting', 'enqueued', 'done', 'failed', 'cancelled')),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null default now(),
  last_error text,
  result jsonb,
  created_at timestamptz not null default now(),
  enqueued_at timestamptz,
  finished_at timestamptz,
  application_id integer,
  sync_id integer,
  request_id text,
  trace_parent text,
  last_cause text check (last_cause in ('unknown_mailbox', 'mailbox_full', 'blocked', 'bad_address', 'credentials',
    'unreachable', 'busy', 'server_error', 'wrong_address', 'unknown_property', 'refused', 'no_provider', 'our_side')),
  last_detail text check (length(last_detail) <= 2000),
  previous_provider_id integer,
  account_id integer,
  told_provider_id integer,
  report_id integer,
  payload jsonb,
  unique (lead_id, name, purpose, generation),
  check ((state in ('done', 'failed', 'cancelled')) = (finished_at is not null)),
  constraint jobs_check1 check (state <> 'enqueued' or enqueued_at is not null),
  constraint jobs_check2 check (state <> 'failed' or last_cause is not null)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, autovacuum_analyze_scale_factor = 0.01);
create index jobs_waiting_idx on jobs (next_attempt_at) where state = 'waiting';
create index jobs_enqueued_idx on jobs (enqueued_at) where state = 'enqueued';
create unique index jobs_application_key on jobs (application_id, name, purpose, generation) where application_id is not null;
create index jobs_again_idx on jobs (lead_id) where generation > 1;
create index jobs_sync_idx on jobs (sync_id) where sync_id is not null;
create index jobs_failed_idx on jobs (finished_at) where state = 'failed';
create index jobs_failing_idx on jobs (lead_id, last_cause) where last_cause is not null and state in ('failed', 'waiting',
  'enqueued');
create unique index jobs_account_key on jobs (account_id, name, purpose, generation) where account_id is not null;
create unique index jobs_of_sync_key on jobs (sync_id, purpose, coalesce(told_provider_id, 0), generation) where lead_id is null
  and sync_id is not null;
create unique index jobs_purge_key on jobs (purpose, finished_at) nulls not distinct where name = 'purge';
create index jobs_recipient_idx on jobs (((result ->> 'to')), created_at) where name = 'send-email'
  and purpose not in ('visitor', 'new_clinic') and (result ->> 'to') is not null;
create index jobs_provider_idx on jobs (told_provider_id, purpose, generation) where lead_id is null and application_id is null
  and account_id is null and sync_id is null;
create unique index jobs_report_key on jobs (report_id, purpose, generation) where report_id is not null;
create index jobs_waiting_name_idx on jobs (name, next_attempt_at) where state = 'waiting';
create index jobs_alert_idx on jobs (((payload ->> 'channelId'))) where name = 'send-alert';
create index jobs_test_idx on jobs (name) where purpose = 'test';

create table staff_accounts (
  id integer generated always as identity primary key,
  created_at timestamptz not null default now(),
  name text not null check (name <> ''),
  email text not null check (email <> ''),
  role text not null check (role in ('viewer', 'agent', 'manager')),
  password_hash text check (password_hash <> ''),
  password_expires_at timestamptz,
  disabled_at timestamptz
);
create unique index staff_accounts_email_key on staff_accounts (lower(email));

create table staff_sessions (
  id integer generated always as identity primary key,
  token_hash text not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  account_id integer references staff_accounts on delete cascade,
  shared_fingerprint text,
  last_seen_at timestamptz not null default now(),
  ip text,
  user_agent text,
  confirmed_at timestamptz default now(),
  idle_ends_at timestamptz not null default (now() + '00:30:00'),
  by_single_sign_on boolean not null default false,
  constraint staff_sessions_one_owner check (num_nonnulls(account_id, shared_fingerprint) <= 1)
);
create index staff_sessions_account_idx on staff_sessions (account_id);

create table audit_log (
  id integer generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  entity text not null,
  entity_id text not null,
  details jsonb not null default '{}',
  ip text,
  session_id integer
);
create index audit_log_entity_idx on audit_log (entity, entity_id, at);
create index audit_log_actor_idx on audit_log (actor, id);
create index audit_log_at_idx on audit_log (at);

create table provider_applications (
  id integer generated always as identity primary key,
  created_at timestamptz not null default now(),
  status text not null default 'new' check (status in ('new', 'contacted', 'approved', 'training', 'certified', 'declined')),
  name text not null check (name <> ''),
  practice_name text not null check (practice_name <> ''),
  email text not null check (email <> ''),
  phone text not null check (phone <> ''),
  zip_code text not null check (zip_code ~ '^[0-9]{5}$'),
  website text check (website <> ''),
  message text check (message <> ''),
  held_reason text check (held_reason in ('honeypot', 'too_fast', 'odd_name', 'many_to_visitor', 'other_site',
    'unknown_wording', 'do_not_contact', 'many_from_address', 'many_in_all')),
  idempotency_key text unique,
  request_hash text not null,
  practice_key uuid not null,
  repeat_window tstzrange not null,
  reference bigint,
  owner_id integer references staff_accounts on delete set null,
  provider_id integer references providers on delete set null,
  constraint provider_applications_no_repeat exclude using gist (practice_key with =, repeat_window with &&)
);
create index provider_applications_status_idx on provider_applications (status, id);
create index provider_applications_recipient_idx on provider_applications (recipient_of(email), created_at);

create table application_consents (
  application_id integer primary key,
  wording text not null,
  wording_version text,
  wording_hash text not null,
  given_at timestamptz not null default now(),
  ip text,
  user_agent text,
  page_url text,
  reference bigint,
  sharing_version text,
  sharing_wording text,
  mac text,
  channel text check (channel in ('form', 'api', 'other_site', 'phone')),
  ip_hash text,
  browser_hash text
);
create index application_consents_details_idx on application_consents (given_at) where ip is not null or user_agent is not null;

create table sign_in_attempts (
  key character varying(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index sign_in_attempts_expire_idx on sign_in_attempts (expire);

create table provider_syncs (
  id integer generated always as identity primary key,
  dry_run boolean not null default false,
  trigger text not null check (trigger in ('staff', 'schedule', 'command')),
  started_by text,
  scheduled_for timestamptz unique,
  approves integer references provider_syncs on delete set null,
  approves_all boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'needs_approval', 'done', 'failed')),
  attempt integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  alive_at timestamptz,
  finished_at timestamptz,
  pages_done integer not null default 0,
  pages_total integer,
  seen integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  deactivated integer not null default 0,
  reactivated integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  unreadable integer not null default 0,
  missing integer not null default 0,
  is_mass_deactivation boolean not null default false,
  deactivations integer[] not null default '{}'::integer[],
  leads_queued integer not null default 0,
  error text,
  changes jsonb not null default '[]',
  skipped_posts jsonb not null default '[]',
  old_leads integer[] not null default '{}'::integer[],
  old_leads_before timestamptz,
  approval_reasons jsonb not null default '[]',
  sensitive_changes jsonb not null default '[]',
  doubts jsonb not null default '[]',
  check ((state in ('waiting', 'running')) = (finished_at is null)),
  constraint provider_syncs_check2 check ((state in ('needs_approval', 'failed')) = (error is not null))
);
create unique index provider_syncs_open_key on provider_syncs (dry_run) where state in ('waiting', 'running');
create unique index provider_syncs_running_key on provider_syncs ((true)) where state = 'running';

create table job_attempts (
  job_id uuid,
  started_at timestamptz default now(),
  duration_ms integer check (duration_ms >= 0),
  outcome text check (outcome in ('done', 'failed', 'cancelled')),
  status integer,
  error text,
  next_attempt_at timestamptz,
  cause text check (cause in ('unknown_mailbox', 'mailbox_full', 'blocked', 'bad_address', 'credentials', 'unreachable', 'busy',
    'server_error', 'wrong_address', 'unknown_property', 'refused', 'no_provider', 'our_side')),
  detail text check (length(detail) <= 2000),
  primary key (job_id, started_at),
  check ((outcome is null) = (duration_ms is null)),
  constraint job_attempts_check1 check (next_attempt_at is null or outcome = 'failed')
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, autovacuum_analyze_scale_factor = 0.01);
create index job_attempts_started_at_idx on job_attempts using brin (started_at);

create table match_changes (
  id bigint generated always as identity primary key,
  lead_id integer not null,
  changed_at timestamptz not null default now(),
  before jsonb not null,
  added_jobs uuid[] not null,
  replaced_jobs uuid[] not null,
  clock jsonb
);
create index match_changes_lead_idx on match_changes (lead_id, id);

create table network (
  is_only boolean default true primary key check (is_only),
  time_zone text not null,
  data_key_check text,
  needs_migration text,
  needs_why text,
  shared_password_off_at timestamptz,
  setup_skipped text[] not null default '{}',
  quiet_since timestamptz,
  no_lead_hours integer not null default 8 check (no_lead_hours between 1 and 200),
  alerts_checked_at timestamptz
);

create table staff_links (
  account_id integer primary key references staff_accounts on delete cascade,
  kind text not null check (kind in ('invitation', 'reset')),
  requested_at timestamptz not null default now(),
  requested_by text not null,
  token_hash text unique,
  expires_at timestamptz,
  constraint staff_links_expire check ((token_hash is null) = (expires_at is null))
);

create table access_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  account_id integer,
  session_id integer,
  ip text not null,
  call text not null,
  entity text not null check (entity in ('lead', 'application')),
  row_ids integer[] not null,
  filter jsonb not null default '{}'
);
create index access_log_actor_idx on access_log (actor, id);
create index access_log_at_idx on access_log (at);
create index access_log_rows_idx on access_log using gin (row_ids);

create table pictures (
  source_url text primary key,
  file_name text,
  body bytea,
  problem text,
  failures integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  check ((file_name is null) = (body is null))
);
create index pictures_file_name_idx on pictures (file_name) where file_name is not null;
create index pictures_due_idx on pictures (next_attempt_at);

create table staff_totp (
  account_id integer primary key references staff_accounts on delete cascade,
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
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
  account_id integer references staff_accounts on delete cascade,
  code_hash text,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

create table staff_pending_sign_ins (
  token_hash text primary key,
  account_id integer not null references staff_accounts on delete cascade,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index staff_pending_sign_ins_account_idx on staff_pending_sign_ins (account_id);

create table staff_challenges (
  token_hash text,
  purpose text check (purpose in ('sign-in', 'confirm', 'add')),
  challenge text not null,
  expires_at timestamptz not null,
  primary key (token_hash, purpose)
);

create table staff_identities (
  issuer text,
  subject text,
  account_id integer not null references staff_accounts on delete cascade,
  linked_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (account_id, issuer)
);

create table suppressions (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('email', 'phone')),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  reason text not null check (reason in ('link', 'staff', 'stop', 'clinic')),
  lead_id integer,
  actor text not null,
  created_at timestamptz not null default now(),
  lifted_at timestamptz,
  lifted_by text,
  lifted_because text,
  check ((lifted_at is null) = (lifted_by is null)),
  constraint suppressions_check1 check ((lifted_at is null) = (lifted_because is null))
);
create unique index suppressions_active_key on suppressions (hash, kind) where lifted_at is null;

create table opt_outs (
  id integer generated always as identity primary key,
  lead_id integer not null,
  provider_id integer not null references providers,
  asked_at timestamptz not null default now(),
  due_at timestamptz not null,
  confirmed_at timestamptz,
  confirmed_by text,
  withdrawn_at timestamptz,
  check (due_at > asked_at),
  constraint opt_outs_check1 check ((confirmed_at is null) = (confirmed_by is null))
);
create unique index opt_outs_active_key on opt_outs (lead_id, provider_id) where withdrawn_at is null;
create index opt_outs_open_idx on opt_outs (due_at) where confirmed_at is null and withdrawn_at is null;

create table erasure_requests (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null
);

create table erasures (
  kind text check (kind in ('lead', 'application')),
  row_id integer,
  reference bigint,
  sent_at timestamptz not null,
  reason text not null check (reason in ('deleted', 'retention', 'request')),
  request_id bigint references erasure_requests,
  email_hash text,
  crm_id text,
  erased_at timestamptz not null default now(),
  is_test boolean not null default false,
  phone_hashes text[] not null default '{}',
  primary key (kind, row_id),
  check ((request_id is not null) = (reason = 'request'))
);
create index erasures_at_idx on erasures (erased_at);
create index erasures_email_idx on erasures (email_hash);
create index erasures_request_idx on erasures (request_id);
create index erasures_phones_idx on erasures using gin (phone_hashes);
create index erasures_hashed_idx on erasures (erased_at) where email_hash is not null or phone_hashes <> '{}';

create table bulk_actions (
  job_id uuid primary key,
  actor text not null,
  input jsonb not null,
  total integer not null check (total > 0),
  done integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz not null default now()
);

create table bulk_items (
  job_id uuid,
  position integer,
  lead_id integer,
  application_id integer,
  account_id integer,
  sync_id integer,
  retried_job uuid,
  acted_at timestamptz,
  added_jobs uuid[] not null default '{}'::uuid[],
  outcome text check (outcome in ('succeeded', 'failed', 'waiting')),
  error text,
  primary key (job_id, "position"),
  check (outcome is null or acted_at is not null),
  constraint bulk_items_check1 check (error is null or outcome = 'failed')
);
create index bulk_items_open_idx on bulk_items (job_id, "position") where acted_at is null;

create table lead_outcomes (
  id integer generated always as identity primary key,
  lead_id integer not null,
  provider_id integer references providers,
  kind text not null check (kind in ('opened', 'reached', 'no_answer', 'booked', 'attended', 'no_show', 'treated', 'declined',
    'opted_out', 'wrong_number')),
  reason text,
  value_cents integer check (value_cents >= 0),
  booked_for date,
  note text,
  source text not null check (source in ('clinic', 'staff', 'visitor', 'crm')),
  actor text not null,
  event_id text unique,
  at timestamptz not null default now(),
  happened_at timestamptz not null default now()
);
create index lead_outcomes_lead_idx on lead_outcomes (lead_id, id);
create index lead_outcomes_time_idx on lead_outcomes (at);
create index lead_outcomes_provider_idx on lead_outcomes (provider_id, at);

create table answer_clocks (
  lead_id integer primary key,
  provider_id integer not null references providers,
  started_at timestamptz not null default now(),
  due_at timestamptz,
  answered_at timestamptz,
  step text not null default 'start' check (step in ('start', 'remind', 'late', 'offer')),
  step_at timestamptz default now(),
  ask_visitor_at timestamptz,
  is_stale boolean not null default false,
  offer_at timestamptz
);
create index answer_clocks_step_idx on answer_clocks (step_at) where step_at is not null;
create index answer_clocks_ask_idx on answer_clocks (ask_visitor_at) where ask_visitor_at is not null;
create index answer_clocks_provider_idx on answer_clocks (provider_id, started_at);
create index answer_clocks_due_idx on answer_clocks (due_at) where due_at is not null and answered_at is null;
create index answer_clocks_stale_idx on answer_clocks (lead_id) where is_stale;

create table provider_rules (
  provider_id integer primary key references providers,
  is_paused boolean not null default false,
  paused_until timestamptz,
  paused_because text,
  daily_cap integer check (daily_cap > 0),
  weekly_cap integer check (weekly_cap > 0),
  monthly_cap integer check (monthly_cap > 0),
  hours jsonb,
  time_zone text,
  answer_hours integer check (answer_hours > 0),
  radius_miles double precision check (radius_miles > 0),
  extra_zips text[] not null default '{}',
  excluded_zips text[] not null default '{}',
  backup_provider_id integer references providers,
  priority smallint not null default 0 check (priority between '-1'::integer and 1),
  updated_at timestamptz not null default now(),
  updated_by text not null,
  check (backup_provider_id <> provider_id),
  constraint provider_rules_check1 check (is_paused or paused_until is null)
);
create index provider_rules_extra_zips_idx on provider_rules using gin (extra_zips);

create table network_pauses (
  id integer generated always as identity primary key,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  reason text not null,
  created_by text not null,
  check (ends_at > starts_at)
);
create index network_pauses_time_idx on network_pauses (ends_at);

create table clinic_people (
  id integer generated always as identity primary key,
  provider_id integer not null references providers,
  email text not null,
  added_at timestamptz not null default now(),
  added_by text not null,
  removed_at timestamptz,
  removed_by text,
  confirmed_at timestamptz,
  gets text check (gets in ('requests', 'late')),
  check ((removed_at is null) = (removed_by is null)),
  constraint clinic_people_check1 check (gets is null or (confirmed_at is not null and removed_at is null))
);
create unique index clinic_people_key on clinic_people (lower(email), provider_id) where removed_at is null;
create index clinic_people_provider_idx on clinic_people (provider_id);
create unique index clinic_people_gets_key on clinic_people (provider_id, gets) where gets is not null;

create table clinic_links (
  job_id uuid primary key,
  provider_id integer not null references providers,
  email text not null,
  requested_at timestamptz not null default now(),
  token_hash text unique,
  expires_at timestamptz,
  page text,
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

create table crm_cursors (
  source text primary key,
  changed_since timestamptz not null default now(),
  pass_began_at timestamptz,
  after_id text,
  due_at timestamptz not null default now(),
  attempt integer not null default 1,
  failing_since timestamptz,
  failures integer not null default 0,
  error text,
  check ((pass_began_at is null) = (after_id is null)),
  constraint crm_cursors_check1 check ((failing_since is null) = (failures = 0)),
  constraint crm_cursors_check2 check ((failing_since is null) = (error is null))
);

create table attention_marks (
  key text primary key check (length(key) between 1 and 120),
  version bigint not null,
  snoozed_until timestamptz,
  marked_at timestamptz not null default now(),
  marked_by text not null
);
create index attention_marks_time_idx on attention_marks (marked_at);

create table sending_pauses (
  integration text primary key check (integration in ('crm', 'mail')),
  kind text not null check (kind in ('staff', 'breaker')),
  until timestamptz not null,
  reason text not null,
  paused_by text not null,
  paused_at timestamptz not null default now(),
  ended_at timestamptz,
  trips integer not null default 0 check (trips >= 0),
  probe_job_id uuid,
  probe_since timestamptz,
  check (kind = 'breaker' or probe_job_id is null),
  constraint sending_pauses_check1 check ((probe_job_id is null) = (probe_since is null))
);

create table worker_heartbeats (
  id uuid primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  stopped_at timestamptz,
  settings jsonb
) with (fillfactor = 50);

create table lead_notes (
  id integer generated always as identity primary key,
  lead_id integer not null,
  body text not null check (length(body) between 1 and 4000),
  author text not null,
  at timestamptz not null default now()
);
create index lead_notes_lead_idx on lead_notes (lead_id, id);

create table lead_work (
  lead_id integer primary key,
  owner_id integer references staff_accounts on delete set null,
  next_action text check (length(next_action) between 1 and 200),
  next_action_on date,
  updated_at timestamptz not null default now(),
  tags text[] not null default '{}'
);
create index lead_work_owner_idx on lead_work (owner_id, lead_id) where owner_id is not null;
create index lead_work_due_idx on lead_work (next_action_on, lead_id) where next_action_on is not null;
create index lead_work_tags_idx on lead_work using gin (tags);

create table lead_edits (
  id integer generated always as identity primary key,
  lead_id integer not null,
  field text not null check (field in ('first_name', 'last_name', 'email', 'phone', 'zip_code')),
  was text not null,
  became text not null,
  actor text not null,
  at timestamptz not null default now()
);
create index lead_edits_lead_idx on lead_edits (lead_id, id);

create table alert_channels (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('team', 'email', 'slack', 'webhook')),
  name text not null,
  sealed bytea,
  daily_hour integer not null default 8 check (daily_hour between 0 and 23),
  created_by text not null,
  created_at timestamptz not null default now(),
  rhythm text not null default 'at_once' check (rhythm in ('at_once', 'daily'))
);
create unique index alert_channels_team_key on alert_channels (kind) where kind = 'team';

create table alert_states (
  id integer generated always as identity primary key,
  event text not null,
  subject text not null,
  title text not null,
  path text not null,
  opened_at timestamptz not null,
  last_seen_at timestamptz not null,
  recovered_at timestamptz
);
create unique index alert_states_open_key on alert_states (event, subject) where recovered_at is null;
create index alert_states_recovered_idx on alert_states (recovered_at) where recovered_at is not null;

create table alert_notes (
  id integer generated always as identity primary key,
  channel_id integer not null references alert_channels on delete cascade,
  state_id integer not null references alert_states on delete cascade,
  change text not null check (change in ('opened', 'recovered')),
  due_at timestamptz not null,
  is_digest boolean not null,
  is_sent boolean not null default false,
  unique (state_id, channel_id, change)
);
create index alert_notes_due_idx on alert_notes (due_at) where not is_sent;

create table application_notes (
  id integer generated always as identity primary key,
  application_id integer not null references provider_applications on delete cascade,
  at timestamptz not null default now(),
  author text not null check (author <> ''),
  text text not null check (text <> '')
);
create index application_notes_application_idx on application_notes (application_id);

create table sent_messages (
  job_id uuid primary key references jobs on delete cascade,
  at timestamptz not null default now(),
  body bytea not null
);
-- It is compressed already.
alter table sent_messages alter column body set storage external;

-- Those that are not deleted.
create view leads as select * from all_leads where deleted_at is null;

-- The planner knows nothing of an expression in a partial index: it expected 0.5 % of all leads for each address.
create statistics leads_recipient_stats on recipient_of(email) from all_leads;

create function zip_location(wanted text) returns cube language sql stable parallel safe as $$
      select coalesce(
        (select location from zip_codes where zip = wanted),
        (select ll_to_earth(avg(latitude), avg(longitude)) from zip_codes
          where zip between left(wanted, 3) || '00' and left(wanted, 3) || '99' and wanted ~ '^[0-9]{5}$'))
    $$;

create function locate_provider() returns trigger language plpgsql as $$
    begin
      new.location := coalesce(ll_to_earth(new.latitude, new.longitude), zip_location(new.zip_code));
      return new;
    end $$;

create function refuse_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('leadwell.purge', true) = tg_table_name then return old; end if;
      if tg_op = 'UPDATE' and current_setting('leadwell.blank', true) = tg_table_name then return new; end if;
      raise exception '% is append-only', tg_table_name;
    end $$;

create function note_placement() returns trigger language plpgsql as $$
    begin
      if new.status = 't' and (old.status = 'f' or new.location is distinct from old.location) then
        new.placed_at := now();
      end if;
      return new;
    end $$;

create function append_only(target regclass) returns void language plpgsql as $$
    declare
      other regrole;
    begin
      execute format('create trigger append_only before update or delete on %s
        for each row execute function refuse_change()', target);
      execute format('create trigger append_only_whole before truncate on %s
        for each statement execute function refuse_change()', target);
      for other in
        select distinct grantee::regrole from pg_class, aclexplode(relacl)
        where pg_class.oid = target and grantee <> relowner and grantee <> 0
      loop
        execute format('revoke update, delete, truncate on %s from %s', target, other);
      end loop;
    end $$;

-- The functions below run as the owner of the tables, so each has a limit of its own.
create function purge_audit_log(keep interval) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare
      gone integer;
    begin
      if keep < interval '2190 days' then raise exception 'the audit log is kept for six years'; end if;
      -- Here, as only a superuser may declare it with the function.
      perform set_config('leadwell.purge', 'audit_log', true);
      delete from public.audit_log where at < now() - keep;
      get diagnostics gone = row_count;
      perform set_config('leadwell.purge', '', true);
      return gone;
    end $$;

create function refuse_access_log_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('leadwell.purging', true) = 'access_log' then return old; end if;
      raise exception 'access_log is append-only';
    end $$;

create function purge_access_log(days integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
    declare removed integer;
    begin
      if days < 365 then raise exception 'access_log is kept for a year at least'; end if;
      perform set_config('leadwell.purging', 'access_log', true);
      delete from access_log where at < now() - days * interval '24 hours';
      get diagnostics removed = row_count;
      perform set_config('leadwell.purging', '', true);
      return removed;
    end $$;

create function blank_consents(keep interval, most integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed integer;
      total integer := 0;
      source record;
    begin
      if keep < interval '30 days' then raise exception 'addresses of consents are kept for 30 days'; end if;
      for source in
        select * from (values ('lead', 'consents', 'lead_id'),
          ('application', 'application_consents', 'application_id')) as source (kind, evidence, id)
      loop
        perform set_config('leadwell.blank', source.evidence, true);
        execute format(
          'with due as (
             (select %3$I as id from public.%2$I
              where (ip is not null or user_agent is not null) and given_at < now() - $1 limit $2)
             union
             select row_id from public.erasures join public.%2$I on %3$I = row_id
             where kind = %1$L and erased_at > now() - interval ''30 days'' and (ip is not null or user_agent is not null)
           )
           update public.%2$I set ip = null, user_agent = null from due where %3$I = due.id',
          source.kind, source.evidence, source.id) using keep, most;
        get diagnostics changed = row_count;
        total := total + changed;
        perform set_config('leadwell.blank', '', true);
      end loop;
      return total;
    end $$;

create function purge_lead_outcomes(lead integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      if exists (select from public.leads where id = lead) then raise exception 'the lead is still there'; end if;
      perform set_config('leadwell.purge', 'lead_outcomes', true);
      delete from public.lead_outcomes where lead_id = lead;
      perform set_config('leadwell.purge', '', true);
    end $$;

create function copy_match_priority() returns trigger language plpgsql as $$
    begin
      update providers set match_priority = new.priority where id = new.provider_id and match_priority <> new.priority;
      return null;
    end $$;

create function blank_erasures(keep interval, most integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed integer;
    begin
      if keep < interval '1460 days' then raise exception 'hashes of erasures are kept for four years'; end if;
      perform set_config('leadwell.blank', 'erasures', true);
      update public.erasures set email_hash = null, phone_hashes = '{}', crm_id = null
      where (kind, row_id) in (
        select kind, row_id from public.erasures
        where erased_at < now() - keep and (email_hash is not null or phone_hashes <> '{}') limit most
      );
      get diagnostics changed = row_count;
      perform set_config('leadwell.blank', '', true);
      return changed;
    end $$;

create function purge_consents(keep interval) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed integer;
      total integer := 0;
      evidence text;
    begin
      if keep < interval '1460 days' then raise exception 'consents are kept for four years'; end if;
      foreach evidence in array array['consents', 'application_consents'] loop
        perform set_config('leadwell.purge', evidence, true);
        execute format('delete from public.%I where given_at < now() - $1', evidence) using keep;
        get diagnostics changed = row_count;
        total := total + changed;
      end loop;
      perform set_config('leadwell.purge', '', true);
      return total;
    end $$;

create trigger locate_provider before insert or update of latitude, longitude, zip_code on providers
  for each row execute function locate_provider();
create trigger note_placement before update of status, latitude, longitude, zip_code on providers
  for each row execute function note_placement();
select append_only('consents');
select append_only('audit_log');
select append_only('application_consents');
create trigger access_log_append_only before delete or update on access_log
  for each row execute function refuse_access_log_change();
create trigger access_log_no_truncate before truncate on access_log
  for each statement execute function refuse_access_log_change();
create trigger kept before delete on suppressions for each row execute function refuse_change();
create trigger kept before delete on opt_outs for each row execute function refuse_change();
select append_only('erasure_requests');
select append_only('erasures');
select append_only('lead_outcomes');
create trigger copy_match_priority after insert or update of priority on provider_rules
  for each row execute function copy_match_priority();
create trigger application_notes_unchanged before update on application_notes for each row execute function refuse_change();

-- Its only row.
insert into network (time_zone) values ('UTC');
`
