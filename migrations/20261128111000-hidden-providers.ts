import type { Knex } from 'knex'

/** An inactive provider whose post is not published, or not any more, is shown to staff only. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table providers add column hidden boolean not null default false;
    -- Gone from the published posts. Drafts among the inactive ones are found by the next sync.
    update providers set hidden = true where status = 'f' and missed_syncs >= 3;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table providers drop column hidden')
}
