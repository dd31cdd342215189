import type { Knex } from 'knex'

export const config = { transaction: false }

/** The record of a clinic lists the last e-mails to its address, and what became of its requests. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists jobs_recipient_idx')
  // Not those to visitors: nobody looks for them by their address, and there are as many as leads.
  await knex.raw(`
    create index concurrently jobs_recipient_idx on jobs ((result->>'to'), created_at)
      where name = 'send-email' and purpose not in ('visitor', 'new_clinic') and result->>'to' is not null
  `)
  await knex.raw('drop index concurrently if exists lead_outcomes_provider_idx')
  await knex.raw('create index concurrently lead_outcomes_provider_idx on lead_outcomes (provider_id, at)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists lead_outcomes_provider_idx')
  await knex.raw('drop index concurrently if exists jobs_recipient_idx')
}
