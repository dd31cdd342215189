import type { Knex } from 'knex'

/** A deleted note of an application goes at once. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from application_notes where id in (select note_id from deleted_application_notes);
    drop table deleted_application_notes;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create table deleted_application_notes (
      note_id integer primary key references application_notes on delete cascade,
      deleted_at timestamptz not null default now()
    );
  `)
}
