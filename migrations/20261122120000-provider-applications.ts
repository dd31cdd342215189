import type { Knex } from 'knex'

/** Clinics apply to join; what we owe for an application is in the same table of jobs as what we owe for a lead. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table provider_applications (
      id integer generated always as identity primary key,
      created_at timestamptz not null default now(),
      status text not null default 'new' check (status in ('new', 'contacted', 'approved', 'declined')),
      name text not null check (name <> ''),
      practice_name text not null check (practice_name <> ''),
      email text not null check (email <> ''),
      phone text not null check (phone <> ''),
      zip_code text not null check (zip_code ~ '^[0-9]{5}$'),
      website text check (website <> ''),
      message text check (message <> ''),
      held_reason text check (held_reason in ('honeypot', 'too_fast')),
      idempotency_key text unique,
      -- What the form held, so that the same key with another body can be refused.
      request_hash text not null,
      -- The same practice may not apply again while this lasts: the constraint holds whatever runs in parallel.
      practice_key uuid not null,
      repeat_window tstzrange not null,
      constraint provider_applications_no_repeat exclude using gist (practice_key with =, repeat_window with &&)
    );
    create index provider_applications_status_idx on provider_applications (status, id);

    -- Evidence of consent, like that of leads: it outlives its application, and holds no name, e-mail or phone.
    create table application_consents (
      application_id integer primary key,
      wording text not null,
      wording_version text,
      wording_hash text not null,
      given_at timestamptz not null default now(),
      ip text,
      user_agent text,
      page_url text
    );
    create trigger application_consents_append_only before update or delete on application_consents
      for each row execute function refuse_change();

    -- A job belongs to a lead or to an application. No foreign key here either: even where application_id is null, its
    -- trigger would be called for every job of every lead.
    alter table jobs
      alter column lead_id drop not null,
      add column application_id integer,
      add constraint jobs_one_owner check (num_nonnulls(lead_id, application_id) = 1),
      add constraint jobs_of_applications check (application_id is null or name = 'send-email');
    -- Partial, so that the jobs of leads pay nothing for it.
    create unique index jobs_application_key on jobs (application_id, name, purpose, generation)
      where application_id is not null;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from jobs where application_id is not null;
    alter table jobs drop column application_id, alter column lead_id set not null;
    drop table application_consents, provider_applications;
  `)
}
