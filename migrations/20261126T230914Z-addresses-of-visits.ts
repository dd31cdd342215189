import type { Knex } from 'knex'

export const config = { transaction: false }

const BATCH = 5000

/**
 * Removes IP addresses of visitors and clinics from where they outlived their time: lines of the audit log, and the copies
 * in `leads`. The evidence of the consent has the address of a form, and loses it after CONSENT_DETAILS_DAYS.
 * `leads.acceptance_ip` stays empty from now on. Drop it when no process of an older version writes it any more.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw(`select set_config('leadwell.blank', 'audit_log', true)`)
    await trx.raw(`update audit_log set ip = null where actor in ('visitor', 'clinic', 'crm') and ip is not null`)
  })
  await knex.raw(`update deleted_leads set lead = lead - 'acceptance_ip' where lead->>'acceptance_ip' is not null`)
  const { rows } = await knex.raw('select max(id) as last from leads')
  for (let after = 0; after < rows[0].last; after += BATCH) {
    await knex.raw('update leads set acceptance_ip = null where id > ? and id <= ? and acceptance_ip is not null', [
      after,
      after + BATCH,
    ])
  }
}

/** Copies the addresses that the evidence still has. Those of the audit log are gone. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('update leads set acceptance_ip = ip from consents where lead_id = id and ip is not null')
}
