import type { Knex } from 'knex'

/** The e-mails of a lead that is held are pending: only the team was told of it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update leads set email_status = 'pending'
    where email_status = 'success' and not exists (
      select from jobs where lead_id = leads.id and name = 'send-email' and purpose <> 'team'
        and state in ('done', 'failed'));
  `)
}

export async function down(): Promise<void> {}
