import type { Lead } from '../contract/leads.ts'
import type { Db, Transaction } from '../db.ts'
import { AppError } from '../errors.ts'
import { crmEventsToRetry, emailsToResend } from '../rules/deliveries.ts'
import * as auditLog from './audit-log.ts'
import * as jobs from './jobs.ts'
import * as leads from './leads.ts'
import * as providers from './providers.ts'

/** What staff do to a lead. Each is one transaction: the act, the jobs it causes, and its line in the audit log. */
type Actor = { actor: string }

/** Sends the lead's e-mails again. @throws AppError `not_found` */
export async function resendEmail(db: Db, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx, lead) => {
    const resent = emailsToResend(await jobs.listLatest(trx, id), { matched: lead.provider_id !== null })
    await jobs.add(trx, id, resent)
    await auditLog.record(trx, { actor, action: 'retry-email', entity: 'lead', entityId: id })
  })
}

/** Tells the CRM again. @throws AppError `not_found` */
export async function retryCrm(db: Db, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx) => {
    await jobs.add(trx, id, crmEventsToRetry(await jobs.listLatest(trx, id)))
    await auditLog.record(trx, { actor, action: 'retry-sync', entity: 'lead', entityId: id })
  })
}

/**
 * Gives the lead to an active provider, who is told at once. Doing it twice does it once.
 * @throws AppError `not_found` without such a lead or provider, `conflict` when the provider is inactive
 */
export async function assignProvider(db: Db, id: number, providerId: number, { actor }: Actor): Promise<Lead> {
  return onLead(db, id, async (trx, lead) => {
    const provider = await providers.find(trx, providerId)
    if (!provider) throw new AppError('not_found', 'There is no such provider.')
    const [candidates] = await providers.findCandidates(trx, [{ zip: lead.zip_code, chosenId: providerId }])
    const chosen = candidates?.chosen
    if (!chosen) throw new AppError('conflict', `${provider.name} is inactive and cannot get leads.`)

    const changed = await leads.assign(trx, lead, { providerId, kind: 'staff', miles: chosen.miles })
    if (changed) {
      const details = { from: lead.provider_id, to: providerId }
      await auditLog.record(trx, { actor, action: 'assign-provider', entity: 'lead', entityId: id, details })
    }
    return (await leads.find(trx, id)) ?? lead
  })
}

/** Deletes the lead and what is still to be done for it. @throws AppError `not_found` */
export async function remove(db: Db, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx) => {
    await leads.remove(trx, id)
    await auditLog.record(trx, { actor, action: 'delete', entity: 'lead', entityId: id })
  })
}

async function onLead<Result>(
  db: Db,
  id: number,
  act: (trx: Transaction, lead: Lead) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (trx) => {
    const lead = await leads.lock(trx, id)
    if (!lead) throw new AppError('not_found', 'There is no such lead. It may have been deleted.')
    return act(trx, lead)
  })
}
