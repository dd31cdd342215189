import type { Knex } from 'knex'

/**
 * Removes what clinics' codes and drafts in WordPress have left. A draft that is not published yet is not linked to its provider any
 * more, so the release notes ask operators to delete it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from job_attempts where job_id in (select id from jobs where name = 'create-draft' or purpose = 'request_code');
    delete from jobs where name = 'create-draft' or purpose = 'request_code';
    drop table request_codes;
    alter table providers drop column draft_id;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create table request_codes (
      lead_id integer primary key,
      provider_id integer not null references providers,
      code_hash text not null,
      tries integer not null default 0,
      expires_at timestamptz not null
    );
    alter table providers add column draft_id integer check (draft_id > 0);
    create unique index providers_draft_id_key on providers (draft_id) where draft_id is not null;
  `)
}
