import type { Knex } from 'knex'

/** Signing in does not always confirm the identity: the provider of single sign-on may have remembered the person. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table staff_sessions alter column confirmed_at drop not null')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update staff_sessions set confirmed_at = to_timestamp(0) where confirmed_at is null;
    alter table staff_sessions alter column confirmed_at set not null;
  `)
}
