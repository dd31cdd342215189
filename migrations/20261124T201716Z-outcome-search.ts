import type { Knex } from 'knex'

export const config = { transaction: false }

/** Finds late answers, and the lead that the CRM names by its own id. A new lead is in neither index. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists answer_clocks_due_idx')
  await knex.raw(
    'create index concurrently answer_clocks_due_idx on answer_clocks (due_at) where due_at is not null and answered_at is null',
  )
  await knex.raw('drop index concurrently if exists leads_crm_external_id_idx')
  await knex.raw(
    'create index concurrently leads_crm_external_id_idx on leads (crm_external_id) where crm_external_id is not null',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_crm_external_id_idx')
  await knex.raw('drop index concurrently if exists answer_clocks_due_idx')
}
