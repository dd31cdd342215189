import type { Knex } from 'knex'

/** A lead that the CRM has is not failed because a second copy of it was refused. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update leads set crm_sync_status = 'success'
    where crm_sync_status = 'failed'
      and exists (select from jobs where lead_id = leads.id and name = 'sync-crm' and state = 'done');
  `)
}

export async function down(): Promise<void> {}
