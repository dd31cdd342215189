import type { Knex } from 'knex'

/**
 * The stages of an application after its approval, its owner, its notes and its checklist. Notes and checklist are deleted
 * with their application. When each stage began is in the audit log.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table provider_applications
      add column owner_id integer references staff_accounts on delete set null,
      drop constraint provider_applications_status_check,
      add constraint provider_applications_status_check
        check (status in ('new', 'contacted', 'approved', 'training', 'certified', 'declined')) not valid;
    alter table provider_applications validate constraint provider_applications_status_check;

    create table application_notes (
      id integer generated always as identity primary key,
      application_id integer not null references provider_applications on delete cascade,
      at timestamptz not null default now(),
      author text not null check (author <> ''),
      text text not null check (text <> '')
    );
    create index application_notes_application_idx on application_notes (application_id);
    create trigger application_notes_unchanged before update on application_notes
      for each row execute function refuse_change();

    create table application_checks (
      application_id integer not null references provider_applications on delete cascade,
      item text not null check (item in ('agreement', 'license', 'training')),
      done_at timestamptz not null default now(),
      done_by text not null check (done_by <> ''),
      primary key (application_id, item)
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table application_checks, application_notes;
    update provider_applications set status = 'approved' where status in ('training', 'certified');
    alter table provider_applications
      drop column owner_id,
      drop constraint provider_applications_status_check,
      add constraint provider_applications_status_check check (status in ('new', 'contacted', 'approved', 'declined'));
  `)
}
