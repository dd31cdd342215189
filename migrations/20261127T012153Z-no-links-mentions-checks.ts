import type { Knex } from 'knex'

/** Requests linked by hand, mentions in notes and the checklist of applications. The audit log keeps what staff did. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table person_links, lead_note_mentions, application_checks;
    delete from job_attempts where job_id in (select id from jobs where purpose = 'mention');
    delete from jobs where purpose = 'mention';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
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
    create table lead_note_mentions (
      note_id integer not null references lead_notes on delete cascade,
      account_id integer not null references staff_accounts on delete cascade,
      told_at timestamptz,
      primary key (note_id, account_id)
    );
    create index lead_note_mentions_untold_idx on lead_note_mentions (account_id) where told_at is null;
    create table application_checks (
      application_id integer not null references provider_applications on delete cascade,
      item text not null check (item in ('agreement', 'license', 'training')),
      done_at timestamptz not null default now(),
      done_by text not null check (done_by <> ''),
      primary key (application_id, item)
    );
  `)
}
