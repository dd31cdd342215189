import type { Knex } from 'knex'

/** A certified application leads to the provider that was made of it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table provider_applications
      add column provider_id integer references providers on delete set null
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table provider_applications drop column provider_id')
}
