import { CONSENT } from '../contract/consent.ts'
import { type ConfirmedConsent, lacksConsent } from '../contract/forms.ts'
import { jobsForNewLead } from '../deliveries/rules/deliveries.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import { allowContact } from '../privacy/allow-contact.ts'
import type { Actor } from '../staff/actor.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { chooseWithinCaps, wantedBy } from './choose-providers.ts'
import type { Lead } from './contract/leads.ts'
import { askedToStop, onLead } from './on-lead.ts'
import type { Match, NoMatch } from './rules/matching.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import { matchColumns } from './stores/leads.ts'
import * as matchChanges from './stores/match-changes.ts'

/**
 * Ends the hold of a lead, and delivers it like a new one: to the provider that it was matched with, if that is still
 * active and takes it, else to the nearest one within the radius, in miles, else to none yet. Lifts the person's wish not to be contacted
 * where that was the reason. Where the form does not prove a consent, records how it was given, and the deliveries wait for an
 * undo.
 * @param consent how staff learned that the person agrees
 * @param liftKey of the purpose `person-hash`; only when staff lift the wish
 * @throws AppError `not_found`, `conflict` when the lead is not held, or without `liftKey` for such a wish, or without `consent`
 * where none is proved
 */
export async function releaseLead(
  db: Db,
  id: number,
  {
    actor,
    radiusMiles,
    liftKey,
    consent,
  }: Actor & { radiusMiles: number; liftKey?: Buffer; consent?: ConfirmedConsent },
): Promise<void> {
  await onLead(db, id, async (trx, lead) => {
    if (lead.held_reason === null) throw new AppError('conflict', 'This lead is not held. There is nothing to release.')
    const isUnproven = lacksConsent(lead.held_reason)
    if (isUnproven && !consent) throw withoutConsent()
    if (lead.held_reason === 'do_not_contact') {
      if (!liftKey) throw askedToStop()
      await allowContact(trx, lead, { actor, because: 'The new request was released.' }, liftKey)
    }

    const wanted = { ...only(await wantedBy(trx, [lead])), chosenId: lead.provider_id ?? undefined }
    const match = await chooseWithinCaps(trx, wanted, radiusMiles)
    const isKept = match.providerId !== null && match.providerId === lead.provider_id
    const clock = isUnproven ? await answerClocks.keep(trx, id) : null
    const changed = await releaseTo(trx, lead, isKept ? null : match, {
      delay: isUnproven ? matchChanges.undoDelay() : 0,
    })
    if (isUnproven) await matchChanges.record(trx, lead, { ...changed, clock })
    const version = consent === 'read_aloud' ? { version: CONSENT.phone.version } : {}
    const details = { reason: lead.held_reason, ...(isUnproven && { consent, ...version }) }
    await auditLog.record(trx, { actor, action: 'release', entity: 'lead', entityId: id, details })
  })
}

/** The error for a lead whose consent nobody has confirmed. */
export const withoutConsent = () =>
  new AppError(
    'conflict',
    'We cannot prove what this person agreed to. Release the lead by itself and say how consent was given.',
  )

/**
 * Ends the hold of a lead and adds the jobs of a new one. `match` is null when the lead keeps the provider that it was
 * matched with. The caller holds the lead's lock.
 */
export async function releaseTo(
  trx: Transaction,
  lead: Lead,
  match: Match | NoMatch | null,
  { delay = 0 } = {},
): Promise<jobs.JobChanges> {
  const cancelled = await jobs.cancelOpen(trx, `lead:${lead.id}`, 'The lead was released.')
  await trx('leads')
    .where('id', lead.id)
    .update({ held_reason: null, ...(match && matchColumns(trx, match)) })
  const { providerId } = match ?? { providerId: lead.provider_id }
  await answerClocks.restart(trx, lead.id, providerId)
  // The sender of a form that was held for a wish may have been told of this clinic already.
  const mails = match ? [] : await jobs.listEmails(trx, `lead:${lead.id}`, lead.matched_at)
  const isVisitorTold = mails.some(({ purpose, isSent, isCurrent }) => purpose === 'visitor' && isSent && isCurrent)
  const owed = jobsForNewLead({ matched: providerId !== null }).filter(
    ({ purpose }) => purpose !== 'visitor' || !isVisitorTold,
  )
  const { added, replaced } = await jobs.add(trx, `lead:${lead.id}`, owed, { delay })
  return { added, replaced: [...cancelled, ...replaced] }
}
