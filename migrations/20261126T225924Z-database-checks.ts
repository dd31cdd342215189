import type { Knex } from 'knex'

/**
 * What a process compares with itself before it uses the database: the key that signs and hashes here, as a fingerprint,
 * and the migration that a release must know to run here, with the reason.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table network add column data_key_check text, add column needs_migration text, add column needs_why text
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table network drop column data_key_check, drop column needs_migration, drop column needs_why')
}
