import type { Knex } from 'knex'

/** A certified application leads to its provider: one that was made here, or the draft of a post in WordPress. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table provider_applications
      add column provider_id integer references providers on delete set null,
      add column wordpress_id integer
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table provider_applications drop column provider_id, drop column wordpress_id')
}
