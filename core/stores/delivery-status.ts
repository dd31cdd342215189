import type { JobName } from '../contract/jobs.ts'
import type { Transaction } from '../db.ts'
import type { Owner } from './job-owner.ts'

/**
 * SQL for the state of all deliveries of one kind of an owner, by the condition that finds its jobs: `failed` if the
 * newest generation of any failed, `pending` while any is open or none was made, else `success`. A CRM that has taken the
 * lead once has it, whatever becomes of a second copy.
 */
export function deliveryStatusSql(
  name: JobName,
  condition: 'lead_id = lead.id' | 'application_id = provider_applications.id',
): string {
  return `(
    select case
      when bool_or(state = 'failed')${name === 'sync-crm' ? ` and not ${IS_KNOWN(condition)}` : ''} then 'failed'
      when bool_or(state in ('waiting', 'enqueued')) then 'pending'
      when bool_or(state in ('done', 'failed')) then 'success'
      else 'pending'
    end
    from (
      select distinct on (purpose) state from jobs
      where ${condition} and name = '${name}'
      order by purpose, generation desc
    ) latest
  )`
}

const IS_KNOWN = (condition: string) =>
  `exists (select from jobs where ${condition} and name = 'sync-crm' and state = 'done')`

/**
 * Keeps the state of their deliveries in the leads' rows, where lists are filtered by it, and what the CRM calls them.
 * Written only when it changes: each version of the row costs an entry in every index.
 */
export async function refreshStatus(trx: Transaction, ...owners: Owner[]): Promise<void> {
  const ids = owners.flatMap((owner) => ('leadId' in owner ? owner.leadId : []))
  if (ids.length === 0) return
  await trx.raw(
    `update leads set crm_sync_status = deliveries.crm, email_status = deliveries.email,
       crm_external_id = coalesce(deliveries.external_id, crm_external_id)
     from (
       select id, ${deliveryStatusSql('sync-crm', 'lead_id = lead.id')} as crm,
         ${deliveryStatusSql('send-email', 'lead_id = lead.id')} as email, (
           select result->>'externalId' from jobs
           where lead_id = lead.id and name = 'sync-crm' and state = 'done' and result->>'externalId' is not null
           order by finished_at desc limit 1
         ) as external_id
       from (select distinct unnest(?::integer[]) as id) lead
     ) deliveries
     where leads.id = deliveries.id and (crm_sync_status, email_status, crm_external_id)
       is distinct from (deliveries.crm, deliveries.email, coalesce(deliveries.external_id, crm_external_id))`,
    [ids],
  )
}
