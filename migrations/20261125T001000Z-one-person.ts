import type { Knex } from 'knex'

/** The requests of one person: the earlier request of a lead, and requests that staff have linked. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- The digits of a phone number without the country code of the USA, as nationalDigits of core/rules/lead-search.ts.
    create function national_digits(phone text) returns text
      language sql immutable strict parallel safe
      return regexp_replace(regexp_replace(phone, '\D', '', 'g'), '^1(\d{10})$', '\1');

    -- The newest request that the same e-mail or phone had sent before, unless that was held. It may be deleted by now.
    alter table leads add column repeat_of integer;
    alter table leads
      drop constraint leads_match_kind_check,
      add constraint leads_match_kind_check check (match_kind in ('chosen', 'nearest', 'staff', 'again')) not valid,
      add constraint leads_repeat_of_check check (repeat_of < id) not valid;

    -- Two requests that staff take for the same person's, the earlier one first. Undoing sets the end. They have no foreign
    -- key, because a deleted lead can be restored; they go when it is deleted for good.
    create table person_links (
      id integer generated always as identity primary key,
      lead_id integer not null,
      other_id integer not null check (other_id > lead_id),
      linked_at timestamptz not null default now(),
      linked_by text not null,
      unlinked_at timestamptz,
      unlinked_by text,
      check ((unlinked_at is null) = (unlinked_by is null))
    );
    create unique index person_links_active_idx on person_links (lead_id, other_id) where unlinked_at is null;
    create index person_links_other_idx on person_links (other_id);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table person_links;
    alter table leads drop column repeat_of;
    drop function national_digits(text);
    -- A version that does not know repeats still has their clinics.
    update leads set match_kind = 'nearest' where match_kind = 'again';
    alter table leads drop constraint leads_match_kind_check;
    alter table leads add constraint leads_match_kind_check check (match_kind in ('chosen', 'nearest', 'staff'));
  `)
}
