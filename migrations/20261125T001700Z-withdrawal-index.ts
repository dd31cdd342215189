import type { Knex } from 'knex'

export const config = { transaction: false }

/** Finds deleted leads by the receipts of a visitor who takes back the consent to ad measurement. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists deleted_leads_ad_consent_idx')
  await knex.raw(
    `create index concurrently deleted_leads_ad_consent_idx on deleted_leads (((lead->>'reference')::bigint))
     where lead->'attribution'->'ad_consent' is not null`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists deleted_leads_ad_consent_idx')
}
