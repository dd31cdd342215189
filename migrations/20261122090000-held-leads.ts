import type { Knex } from 'knex'

/** Leads that look automated are stored, but held for staff until they release them. Null: not held. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table leads add column held_reason text check (held_reason in ('honeypot', 'too_fast'));
    -- Few leads are held, and staff look for just these; the others pay nothing for it.
    create index leads_held_idx on leads (id) where held_reason is not null;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table leads drop column held_reason')
}
