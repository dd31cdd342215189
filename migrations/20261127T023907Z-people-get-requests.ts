import type { Knex } from 'knex'

/**
 * The people of a clinic get its requests and its notices of late answers, instead of addresses of their own with confirmations and
 * ways to undo them. The addresses in use become people. What waits for a confirmation by a link has to be asked for again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table clinic_people add column confirmed_at timestamptz,
      add column gets text check (gets in ('requests', 'late')),
      add check (gets is null or confirmed_at is not null and removed_at is null);
    create unique index clinic_people_gets_key on clinic_people (provider_id, gets) where gets is not null;

    update clinic_people person set confirmed_at = signed_in.at
    from (
      select entity_id, lower(details->>'email') as email, min(at) as at from audit_log
      where entity = 'provider' and action = 'sign-in' group by 1, 2
    ) signed_in
    where removed_at is null and entity_id = provider_id::text and signed_in.email = lower(person.email);

    insert into clinic_people (provider_id, email, added_at, added_by, confirmed_at, gets)
    select provider_id, address.email, coalesce(change.confirmed_at, now()), coalesce(change.asked_by, 'our team'),
      coalesce(change.confirmed_at, now()), address.gets
    from provider_rules
    join providers on providers.id = provider_id
    cross join lateral (values (request_email, 'requests'), (second_email, 'late')) as address (email, gets)
    left join lateral (
      select confirmed_at, asked_by from clinic_addresses
      where clinic_addresses.provider_id = provider_rules.provider_id and clinic_addresses.confirmed_at is not null
        and lower(to_email) = lower(address.email)
      order by id desc limit 1
    ) change on true
    where address.email is not null
      and not (gets = 'requests' and lower(address.email) = lower(providers.email))
      and not (gets = 'late' and lower(address.email) is not distinct from lower(request_email))
    on conflict (lower(email), provider_id) where removed_at is null do update
      set gets = excluded.gets, confirmed_at = coalesce(clinic_people.confirmed_at, excluded.confirmed_at);

    delete from job_attempts where job_id in (
      select id from jobs where purpose in ('clinic_person', 'request_address', 'second_address'));
    delete from jobs where purpose in ('clinic_person', 'request_address', 'second_address');
    drop table clinic_addresses;
    drop table email_confirmations;
    alter table provider_rules drop column request_email, drop column second_email;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table provider_rules add column request_email text, add column second_email text;
    create index provider_rules_request_email_idx on provider_rules (lower(request_email)) where request_email is not null;
    insert into provider_rules (provider_id, request_email, second_email, updated_by)
    select provider_id, max(email) filter (where gets = 'requests'), max(email) filter (where gets = 'late'), 'system'
    from clinic_people where gets is not null group by provider_id
    on conflict (provider_id) do update
      set request_email = excluded.request_email, second_email = excluded.second_email;
    create table clinic_addresses (
      id integer generated always as identity primary key,
      provider_id integer not null references providers,
      use text not null check (use in ('requests', 'late')),
      from_email text,
      told_email text not null,
      to_email text not null check (to_email <> ''),
      asked_by text not null,
      asked_at timestamptz not null default now(),
      confirmed_at timestamptz,
      ended_at timestamptz,
      ended_by text,
      check ((ended_at is null) = (ended_by is null))
    );
    create index clinic_addresses_provider_idx on clinic_addresses (provider_id, asked_at);
    create unique index clinic_addresses_waiting_key on clinic_addresses (provider_id, use)
      where confirmed_at is null and ended_at is null;
    create table email_confirmations (
      token_hash text primary key,
      provider_id integer not null references providers on delete cascade,
      new_email text not null,
      expires_at timestamptz not null
    );
    create index email_confirmations_provider_idx on email_confirmations (provider_id);
    drop index clinic_people_gets_key;
    alter table clinic_people drop column gets, drop column confirmed_at;
  `)
}
