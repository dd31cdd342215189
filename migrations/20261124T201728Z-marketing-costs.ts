import type { Knex } from 'knex'

/** What advertising costs, by day, source and campaign. Source and campaign are in lower case, as they are compared with leads. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table marketing_costs (
      day date not null,
      source text not null check (source <> ''),
      -- Empty: the cost of a source as a whole.
      campaign text not null default '',
      cost_cents integer not null check (cost_cents >= 0),
      primary key (day, source, campaign)
    )
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table marketing_costs')
}
