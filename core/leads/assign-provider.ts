import { CONSENT } from '../contract/consent.ts'
import { type ConfirmedConsent, lacksConsent } from '../contract/forms.ts'
import type { ZipReach } from '../contract/places.ts'
import { ABOUT_ANSWER, jobsForLaterMatch, jobsForNewLead, jobsForPassingOn } from '../deliveries/rules/deliveries.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import { allowContact } from '../privacy/stop-contact.ts'
import * as providerRules from '../providers/stores/provider-rules.ts'
import * as providers from '../providers/stores/providers.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { Lead } from './contract/leads.ts'
import { askedToStop, onLead } from './record-outcome.ts'
import { decideRepeat, type Repeat } from './rules/duplicates.ts'
import { chooseProvider, type Match, type NoMatch, type Wanted } from './rules/matching.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import { findCandidates } from './stores/candidates.ts'
import * as leadChanges from './stores/lead-changes.ts'
import * as leads from './stores/leads.ts'
import { matchColumns } from './stores/leads.ts'
import * as zipCodes from './stores/places.ts'
import { type Asking, findEarlier } from './stores/repeats.ts'

/** Returns what leads want of the matching: a clinic near their zip, with regard to the earlier requests of their people. */
export async function wantedBy(db: Db, leads: (Asking & { zip_code: string })[]): Promise<(Wanted & Repeat)[]> {
  const earlier = await findEarlier(db, leads)
  return leads.map(({ zip_code: zip }, position) => ({ zip, ...decideRepeat(earlier[position] ?? []) }))
}

/**
 * Chooses the provider of a lead so that caps hold: where it chooses a provider with caps, it chooses again under their
 * lock. The transaction stores the choice. Take the lock of the lead first.
 * @param radiusMiles the largest distance of an automatic match
 */
export async function chooseWithinCaps(
  trx: Transaction,
  wanted: Wanted,
  radiusMiles: number,
): Promise<Match | NoMatch> {
  const match = await choose(trx, wanted, radiusMiles)
  return needsLock(match) ? chooseUnderLock(trx, wanted, radiusMiles) : match
}

/** Chooses the provider of a lead under the lock of the caps, which is held until the transaction ends. */
export async function chooseUnderLock(trx: Transaction, wanted: Wanted, radiusMiles: number): Promise<Match | NoMatch> {
  await providerRules.lockCaps(trx)
  return choose(trx, wanted, radiusMiles)
}

/** Chooses the provider of a lead without a lock: a cap may be exceeded if the choice is stored as it is. */
export async function choose(db: Db, wanted: Wanted, radiusMiles: number): Promise<Match | NoMatch> {
  const { zip, chosenId, except = [] } = wanted
  const wasDeclined = except.length > 0
  const [candidates, usual] = await findCandidates(db, wasDeclined ? [wanted, { zip, chosenId }] : [wanted], {
    radiusMiles,
  })
  const match = chooseProvider({ ...candidates, radiusMiles })
  return wasDeclined ? { ...match, usualId: chooseProvider({ ...usual, radiusMiles }).providerId } : match
}

/** Returns whether a match only holds under the lock of the caps. */
export function needsLock(match: Match | NoMatch): boolean {
  return match.providerId !== null && match.isCapped === true
}

type Asked = { zip: string; chosenId?: number }

/**
 * Tells what a request from a zip code would come to now, by the rule that matches it: pauses, caps and excluded zips
 * count. If the visitor chose a clinic, tells of that one only. Returns null for an unknown zip code.
 */
export async function checkZip(db: Db, { zip, chosenId }: Asked, radiusMiles: number): Promise<ZipReach | null> {
  const [place, match] = await Promise.all([zipCodes.find(db, zip), choose(db, { zip, chosenId }, radiusMiles)])
  if (!place) return null
  const { city, state } = place
  const answer = { zip, city, state, inReach: false, miles: null, clinicPlace: null, noneWithinMiles: null }
  if (match.providerId === null) {
    const isEmpty = match.nearestMiles === null || match.nearestMiles > radiusMiles
    return { ...answer, noneWithinMiles: isEmpty && chosenId === undefined ? radiusMiles : null }
  }
  if (chosenId !== undefined && match.kind !== 'chosen') return answer
  const clinicPlace = await zipCodes.findOfProvider(db, match.providerId)
  return { ...answer, inReach: true, miles: match.miles === null ? null : wholeMiles(match.miles), clinicPlace }
}

/** Rounds as distances are said, so that the answer does not tell more than the words. */
function wholeMiles(miles: number): number {
  return miles < 1 ? 0 : Math.round(miles)
}

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
      delay: isUnproven ? leadChanges.undoDelay() : 0,
    })
    if (isUnproven) await leadChanges.record(trx, lead, { ...changed, clock })
    const version = consent === 'read_aloud' ? { version: CONSENT.phone.version } : {}
    const details = { reason: lead.held_reason, ...(isUnproven && { consent, ...version }) }
    await auditLog.record(trx, { actor, action: 'release', entity: 'lead', entityId: id, details })
  })
}

/** The error for a lead whose consent nobody has confirmed. */
const withoutConsent = () =>
  new AppError(
    'conflict',
    'We cannot prove what this person agreed to. Release the lead by itself and say how consent was given.',
  )

/**
 * Ends the hold of a lead and adds the jobs of a new one. `match` is null when the lead keeps the provider that it was
 * matched with. The caller holds the lead's lock.
 */
async function releaseTo(
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
  const isVisitorNotified = mails.some(({ purpose, isSent, isCurrent }) => purpose === 'visitor' && isSent && isCurrent)
  const owed = jobsForNewLead({ matched: providerId !== null }).filter(
    ({ purpose }) => purpose !== 'visitor' || !isVisitorNotified,
  )
  const { added, replaced } = await jobs.add(trx, `lead:${lead.id}`, owed, { delay })
  return { added, replaced: [...cancelled, ...replaced] }
}

/**
 * Gives the lead to an active provider. Its deliveries wait for `delay` milliseconds, in which it can be undone. Idempotent.
 * A held lead is released to that provider. A clinic that had the lead before is asked not to call.
 * @throws AppError `not_found` without such a lead or provider, `conflict` when the provider is inactive, or the person asked
 * not to be contacted, or its consent is not proved
 */
export async function assignProvider(
  db: Db,
  id: number,
  providerId: number,
  { actor, delay = leadChanges.undoDelay() }: Actor & { delay?: number },
): Promise<Lead> {
  return onLead(db, id, async (trx, lead) => {
    if (lead.held_reason === 'do_not_contact') throw askedToStop()
    if (lacksConsent(lead.held_reason)) throw withoutConsent()
    const provider = await providers.find(trx, providerId)
    if (!provider) throw new AppError('not_found', 'There is no such provider.')
    const [candidates] = await findCandidates(trx, [{ zip: lead.zip_code, chosenId: providerId }])
    const chosen = candidates?.chosen
    if (!chosen) throw new AppError('conflict', `${provider.name} is inactive and cannot get leads.`)

    const match: Match = { providerId, kind: 'staff', miles: chosen.miles }
    const isHeld = lead.held_reason !== null
    const give = isHeld ? releaseTo : assignTo
    const clock = await answerClocks.keep(trx, id)
    const changed = await give(trx, lead, match, { delay })
    if (changed) {
      await leadChanges.record(trx, lead, { ...changed, clock })
      const details = { from: lead.provider_id, to: providerId, ...(isHeld && { released: lead.held_reason }) }
      await auditLog.record(trx, { actor, action: 'assign-provider', entity: 'lead', entityId: id, details })
    }
    return (await leads.find(trx, id)) ?? lead
  })
}

/**
 * Gives the lead to a provider and adds its jobs, whose first attempts wait `delay` milliseconds. The caller holds the
 * lead's lock.
 * @returns the jobs that it changed; null when the lead has that provider already
 */
export async function assignTo(
  trx: Transaction,
  lead: Lead,
  match: Match,
  { delay = 0 } = {},
): Promise<jobs.JobChanges | null> {
  if (lead.provider_id === match.providerId) return null

  const subject = `lead:${lead.id}` as const
  await trx('leads').where('id', lead.id).update(matchColumns(trx, match))
  await answerClocks.restart(trx, lead.id, match.providerId)
  const owed =
    lead.provider_id === null
      ? jobsForLaterMatch()
      : jobsForPassingOn(await jobs.listEmails(trx, subject, lead.matched_at), {
          from: lead.provider_id,
          to: match.providerId,
        })
  // A clinic that gets the lead back must not hear that another one has it.
  const revoked = await jobs.cancelPassedOn(trx, subject, match.providerId)
  const outdated = await jobs.cancelOpen(trx, subject, 'Another provider has the lead now.', ABOUT_ANSWER)
  const { added, replaced } = await jobs.add(trx, subject, owed, { delay })
  return { added, replaced: [...revoked, ...outdated, ...replaced] }
}

/**
 * Undoes the newest match by staff, as long as none of its deliveries was started.
 * @param mayUndoAll whether the actor may undo the match of somebody else
 * @throws AppError `not_found`, `forbidden` for the match of somebody else, `conflict` when there is nothing to undo or it is
 * too late
 */
export async function undoMatch(
  db: Db,
  id: number,
  { actor, mayUndoAll = true }: Actor & { mayUndoAll?: boolean },
): Promise<void> {
  await onLead(db, id, async (trx, lead) => {
    if (!mayUndoAll && (await auditLog.findMatcher(trx, id)) !== actor) {
      throw new AppError('forbidden', 'Only a manager can undo what another person did.')
    }
    if (!(await leadChanges.undo(trx, id))) {
      throw new AppError('conflict', 'It is too late to undo this match. Change the provider instead.')
    }
    const details = { from: lead.provider_id }
    await auditLog.record(trx, { actor, action: 'undo-match', entity: 'lead', entityId: id, details })
  })
}
