import type { Knex } from 'knex'

export const config = { transaction: false }

/** Finds the leads whose visitor allowed ad measurement up to the booking: all of them, or one by its receipt. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_ad_consent_idx')
  await knex.raw(
    `create index concurrently leads_ad_consent_idx on leads (reference) where attribution->'ad_consent' is not null`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_ad_consent_idx')
}
