import type { Lead } from '../../contract/leads.ts'
import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import { crmEventsToRetry, emailsToResend } from '../../rules/deliveries.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as jobs from '../../stores/jobs.ts'
import type { Actor } from '../actor.ts'
import { onLead } from './on-lead.ts'

/** Sends the lead's e-mails again. Returns the ids of the new jobs. @throws AppError `not_found`, `conflict` when it is held */
export async function resendLeadEmails(db: Db, id: number, { actor }: Actor): Promise<string[]> {
  return onLead(db, id, async (trx, lead) => {
    refuseHeld(lead)
    const resent = emailsToResend(await jobs.listLatest(trx, { leadId: id }), { matched: lead.provider_id !== null })
    const { added } = await jobs.add(trx, { leadId: id }, resent)
    await auditLog.record(trx, { actor, action: 'retry-email', entity: 'lead', entityId: id })
    return added
  })
}

/** Tells the CRM again. Returns the ids of the new jobs. @throws AppError `not_found`, `conflict` when the lead is held */
export async function retryLeadCrm(db: Db, id: number, { actor }: Actor): Promise<string[]> {
  return onLead(db, id, async (trx, lead) => {
    refuseHeld(lead)
    const missing = crmEventsToRetry(await jobs.listLatest(trx, { leadId: id }))
    const { added } = await jobs.add(trx, { leadId: id }, missing)
    await auditLog.record(trx, { actor, action: 'retry-sync', entity: 'lead', entityId: id })
    return added
  })
}

function refuseHeld({ held_reason }: Lead): void {
  if (held_reason !== null) throw new AppError('conflict', 'This lead is held. Release it first.')
}
