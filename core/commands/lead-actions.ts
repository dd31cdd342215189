import type { Lead } from '../contract/leads.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { crmEventsToRetry, emailsToResend } from '../rules/deliveries.ts'
import { chooseProvider, type Match } from '../rules/matching.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as changes from '../stores/changes.ts'
import * as deletedLeads from '../stores/deleted-leads.ts'
import * as jobs from '../stores/jobs.ts'
import * as leads from '../stores/leads.ts'
import * as matchChanges from '../stores/match-changes.ts'
import * as providers from '../stores/providers.ts'
import * as optOuts from './opt-outs.ts'

/** What staff do to a lead. Each is one transaction: the act, the jobs it causes, and its line in the audit log. */
type Actor = { actor: string }

/** Sends the lead's e-mails again. Returns the ids of the new jobs. @throws AppError `not_found`, `conflict` when it is held */
export async function resendEmail(db: Db, id: number, { actor }: Actor): Promise<string[]> {
  return onLead(db, id, async (trx, lead) => {
    refuseHeld(lead)
    const resent = emailsToResend(await jobs.listLatest(trx, { leadId: id }), { matched: lead.provider_id !== null })
    const { added } = await jobs.add(trx, { leadId: id }, resent)
    await auditLog.record(trx, { actor, action: 'retry-email', entity: 'lead', entityId: id })
    return added
  })
}

/** Tells the CRM again. Returns the ids of the new jobs. @throws AppError `not_found`, `conflict` when the lead is held */
export async function retryCrm(db: Db, id: number, { actor }: Actor): Promise<string[]> {
  return onLead(db, id, async (trx, lead) => {
    refuseHeld(lead)
    const missing = crmEventsToRetry(await jobs.listLatest(trx, { leadId: id }))
    const { added } = await jobs.add(trx, { leadId: id }, missing)
    await auditLog.record(trx, { actor, action: 'retry-sync', entity: 'lead', entityId: id })
    return added
  })
}

/**
 * Delivers a held lead as if it had just come in: to the provider that it was matched with, if that is still active,
 * else to the nearest one within the radius, in miles, else to none yet. Where it was held because its person asked not to
 * be contacted, that wish is lifted.
 * @param liftKey of the purpose `person-hash`; left out where staff have not said that they lift the wish
 * @throws AppError `not_found`, `conflict` when the lead is not held, or the wish is not to be lifted
 */
export async function release(
  db: Db,
  id: number,
  { actor, radiusMiles, liftKey }: Actor & { radiusMiles: number; liftKey?: Buffer },
): Promise<void> {
  await onLead(db, id, async (trx, lead) => {
    if (lead.held_reason === null) throw new AppError('conflict', 'This lead is not held. There is nothing to release.')
    if (lead.held_reason === 'do_not_contact') {
      if (!liftKey) throw askedToStop()
      await optOuts.liftFor(trx, lead, { actor, because: 'The new request was released.' }, liftKey)
    }

    const wanted = { zip: lead.zip_code, chosenId: lead.provider_id ?? undefined }
    const [candidates] = await providers.findCandidates(trx, [wanted])
    await leads.release(trx, lead, candidates?.chosen ? null : chooseProvider({ ...candidates, radiusMiles }))
    const details = { reason: lead.held_reason }
    await auditLog.record(trx, { actor, action: 'release', entity: 'lead', entityId: id, details })
  })
}

/**
 * Gives the lead to an active provider. Its deliveries wait for `delay` milliseconds, in which it can be undone. Doing it
 * twice does it once. A held lead is released to that provider; a clinic that had the lead before is asked not to call.
 * @throws AppError `not_found` without such a lead or provider, `conflict` when the provider is inactive, or the person asked
 * not to be contacted
 */
export async function assignProvider(
  db: Db,
  id: number,
  providerId: number,
  { actor, delay = matchChanges.undoDelay() }: Actor & { delay?: number },
): Promise<Lead> {
  return onLead(db, id, async (trx, lead) => {
    if (lead.held_reason === 'do_not_contact') throw askedToStop()
    const provider = await providers.find(trx, providerId)
    if (!provider) throw new AppError('not_found', 'There is no such provider.')
    const [candidates] = await providers.findCandidates(trx, [{ zip: lead.zip_code, chosenId: providerId }])
    const chosen = candidates?.chosen
    if (!chosen) throw new AppError('conflict', `${provider.name} is inactive and cannot get leads.`)

    const match: Match = { providerId, kind: 'staff', miles: chosen.miles }
    const isHeld = lead.held_reason !== null
    const give = isHeld ? leads.release : leads.assign
    const changed = await give(trx, lead, match, { delay })
    if (changed) {
      await matchChanges.record(trx, lead, changed)
      const details = { from: lead.provider_id, to: providerId, ...(isHeld && { released: lead.held_reason }) }
      await auditLog.record(trx, { actor, action: 'assign-provider', entity: 'lead', entityId: id, details })
    }
    return (await leads.find(trx, id)) ?? lead
  })
}

/**
 * Undoes the newest match by staff, as long as none of its deliveries was started.
 * @throws AppError `not_found`, `conflict` when there is nothing to undo or it is too late
 */
export async function undoMatch(db: Db, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx, lead) => {
    if (!(await matchChanges.undo(trx, id))) {
      throw new AppError('conflict', 'It is too late to undo this match. Change the clinic instead.')
    }
    const details = { from: lead.provider_id }
    await auditLog.record(trx, { actor, action: 'undo-match', entity: 'lead', entityId: id, details })
  })
}

/**
 * Deletes the lead and what is still to be done for it. It can be restored until it is purged; the evidence of consent
 * stays. @throws AppError `not_found`
 */
export async function remove(db: Db, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx) => {
    await deletedLeads.setAside(trx, id)
    await auditLog.record(trx, { actor, action: 'delete', entity: 'lead', entityId: id })
  })
}

/**
 * Restores a deleted lead, and goes on with what was still to be done.
 * @throws AppError `not_found` when it is deleted for good, `conflict` when the lead is not deleted
 */
export async function restore(db: Db, id: number, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await deletedLeads.restore(trx, id))) {
      if (await leads.find(trx, id)) throw new AppError('conflict', 'This lead is not deleted. It is in the list.')
      throw new AppError('not_found', 'This lead was deleted for good and cannot be restored.')
    }
    await auditLog.record(trx, { actor, action: 'restore', entity: 'lead', entityId: id })
    await changes.announce(trx, { leads: [id] })
  })
}

/** Deletes a deleted lead for good, before its time. @throws AppError `not_found` */
export async function purge(db: Db, id: number, { actor, personKey }: Actor & { personKey: Buffer }): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await deletedLeads.purgeOne(trx, id, { reason: 'deleted', personKey }))) {
      throw new AppError('not_found', 'There is no such deleted lead. It may have been restored.')
    }
    await auditLog.record(trx, { actor, action: 'purge', entity: 'lead', entityId: id })
    await changes.announce(trx, { leads: [id] })
  })
}

const askedToStop = () =>
  new AppError('conflict', 'This person asked not to be contacted. Open the lead and release it there.')

function refuseHeld({ held_reason }: Lead): void {
  if (held_reason !== null) throw new AppError('conflict', 'This lead is held. Release it first.')
}

async function onLead<Result>(
  db: Db,
  id: number,
  act: (trx: Transaction, lead: Lead) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (trx) => {
    const lead = await leads.lock(trx, id)
    if (!lead) throw new AppError('not_found', 'There is no such lead. It may have been deleted.')
    const result = await act(trx, lead)
    await changes.announce(trx, { leads: [id] })
    return result
  })
}
