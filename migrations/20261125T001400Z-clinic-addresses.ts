import type { Knex } from 'knex'

/** The addresses that clinics ask us to use, and where the link that signs a clinic in leads. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The address in use is request_email or second_email of provider_rules. This is how it came there, or will.
    create table clinic_addresses (
      id integer generated always as identity primary key,
      provider_id integer not null references providers,
      use text not null check (use in ('requests', 'late')),
      -- What was in use when it was asked for. Null: no second address, or for requests the one that WordPress has.
      from_email text,
      -- Who is told: where the requests went then.
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

    create index provider_rules_request_email_idx on provider_rules (lower(request_email)) where request_email is not null;
    alter table clinic_links add column page text;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table clinic_links drop column page;
    drop index provider_rules_request_email_idx;
    drop table clinic_addresses;
  `)
}
