import type { Knex } from 'knex'

/** The post that is a draft in WordPress of a clinic that was certified here. It becomes the wordpress_id once it is published. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table providers add column draft_id integer check (draft_id > 0);
    create unique index providers_draft_id_key on providers (draft_id) where draft_id is not null;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from job_attempts where job_id in (select id from jobs where name = 'create-draft');
    delete from jobs where name = 'create-draft';
    alter table providers drop column draft_id;
  `)
}
