import type { Knex } from 'knex'

/** From where something was done: the address, and the session of staff. Null for what no request asked for. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table audit_log add column ip text, add column session_id integer')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table audit_log drop column ip, drop column session_id')
}
