import type { Knex } from 'knex'

export const config = { transaction: false }

/** Lists are filtered and sorted by the source. Few leads have a campaign. */
const INDEXES = {
  leads_source_idx: 'leads (lead_source(attribution), id)',
  leads_campaign_idx: 'leads (lead_campaign(attribution), id) where lead_campaign(attribution) is not null',
}

export async function up(knex: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(INDEXES)) {
    await knex.raw(`drop index concurrently if exists ${name}`)
    await knex.raw(`create index concurrently ${name} on ${columns}`)
  }
  // The planner estimates an expression only after it was analyzed.
  await knex.raw('analyze leads')
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(INDEXES)) await knex.raw(`drop index concurrently if exists ${name}`)
}
