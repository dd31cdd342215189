import type { Knex } from 'knex'

const LEADS = ['honeypot', 'too_fast', 'odd_name', 'many_to_visitor', 'many_to_clinic', 'many_in_all']
const APPLICATIONS = ['honeypot', 'too_fast', 'odd_name', 'many_to_visitor']
const NEW = ['other_site', 'unknown_wording']

/** Forms of other sites' pages, and forms without a consent that we know, are held as well. */
export async function up(knex: Knex): Promise<void> {
  await allow(knex, 'leads', [...LEADS, ...NEW])
  await allow(knex, 'provider_applications', [...APPLICATIONS, ...NEW])
}

export async function down(knex: Knex): Promise<void> {
  // A version that does not know these reasons still holds what is held.
  for (const table of ['leads', 'provider_applications']) {
    await knex(table).whereIn('held_reason', NEW).update({ held_reason: 'too_fast' })
  }
  await allow(knex, 'leads', LEADS)
  await allow(knex, 'provider_applications', APPLICATIONS)
}

async function allow(knex: Knex, table: string, reasons: string[]): Promise<void> {
  const constraint = `${table}_held_reason_check`
  const list = reasons.map((reason) => `'${reason}'`).join(', ')
  await knex.raw(`
    alter table ${table} drop constraint ${constraint};
    alter table ${table} add constraint ${constraint} check (held_reason in (${list}));
  `)
}
