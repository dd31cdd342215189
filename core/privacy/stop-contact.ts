import { columnsOf } from '../deliveries/jobs.ts'
import { CONTACTS, jobsForOptOut, providersThatKnow } from '../deliveries/rules/deliveries.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Lead } from '../leads/contract/leads.ts'
import type { OUTCOME_REASONS, OutcomeSource } from '../leads/contract/outcomes.ts'
import { recordOn } from '../leads/record-outcome.ts'
import * as leadLists from '../leads/stores/lead-lists.ts'
import * as leads from '../leads/stores/leads.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { OptOutReason } from './contract/opt-outs.ts'
import { type Contact, type OptOutLink, type PersonHash, personHashes } from './rules/opt-outs.ts'
import * as suppressions from './stores/suppressions.ts'

/** Why nothing is sent to a person, or about that person to a clinic. */
export const ASKED_TO_STOP = 'This person asked not to be contacted.'

/** `key` is that of the purpose `person-hash`; `timeZone` is the network's, in which business days are counted. */
export type OptOutContext = { key: Buffer; timeZone: string }

type Said = {
  reason: OptOutReason
  leadId: number | null
  actor: string
  why?: OptOutWhy
  byClinic?: ClinicsWord
}

/** `wrong_person`: the phone number is somebody else's, so only that is stopped. */
type OptOutWhy = (typeof OUTCOME_REASONS.opted_out)[number]

/** A provider's word that a person wants no contact, or that the person of its request is somebody else. */
type ClinicsWord = {
  providerId: number
  reason: OptOutWhy
  note?: string
}

const SOURCES: Record<OptOutReason, OutcomeSource> = {
  link: 'visitor',
  staff: 'staff',
  stop: 'staff',
  clinic: 'clinic',
}

/** Stops contact with the person of a lead, or by its phone number only. @throws AppError `not_found` */
export async function stopContactOfLead(
  db: Db,
  id: number,
  { actor, why }: { actor: string; why?: OptOutWhy },
  context: OptOutContext,
): Promise<void> {
  await stopOfLead(db, { reason: 'staff', leadId: id, actor, why }, context)
}

async function stopOfLead(db: Db, said: Said & { leadId: number }, context: OptOutContext): Promise<void> {
  const lead = await leads.find(db, said.leadId)
  if (!lead) throw leads.noSuchLead()
  const { email, phone } = lead
  const contact = said.why === 'wrong_person' ? { phone } : { email, phone }
  await stop(db, personHashes(context.key, contact), contact, said, context)
}

/** Stops contact with the person of an email address or phone number. Returns the number of that person's leads. */
export async function stopContactByHand(
  db: Db,
  contact: Contact,
  { actor }: { actor: string },
  context: OptOutContext,
): Promise<number> {
  const hashes = personHashes(context.key, contact)
  const { leadIds } = await stop(db, hashes, contact, { reason: 'stop', leadId: null, actor }, context)
  return leadIds.length
}

/**
 * Stops contact with the mailbox of a link. It says nothing about the phone number of the lead, which anybody could have
 * typed. After the lead's erasure only the hash in the link is left: it goes on the list, which is checked before each
 * delivery for another lead of the mailbox.
 * @returns false when it was done before
 */
export async function stopContactByLink(
  db: Db,
  { leadId, hashes }: Extract<OptOutLink, { of: 'person' }>,
  context: OptOutContext,
): Promise<boolean> {
  // Also of a deleted lead that can be restored.
  const email = leadId === null ? undefined : (await db('all_leads').where('id', leadId).first('email'))?.email
  const contact = email === undefined ? null : { email }
  const { isNew } = await stop(db, hashes, contact, { reason: 'link', leadId, actor: 'visitor' }, context)
  return isNew
}

/**
 * Stops contact with the person of a lead, or by its phone number only, on the word of its clinic, which is not asked to
 * confirm what it has said.
 * @throws AppError `not_found`
 */
export async function stopContactByClinic(
  db: Db,
  id: number,
  byClinic: ClinicsWord,
  context: OptOutContext,
): Promise<void> {
  const said = { reason: 'clinic', leadId: id, actor: 'clinic', why: byClinic.reason, byClinic } as const
  await stopOfLead(db, said, context)
}

/**
 * Puts a person on the list. For each lead of the person, cancels open deliveries, tells the clinics and the CRM that
 * know of it, and records the outcome.
 */
async function stop(
  db: Db,
  hashes: PersonHash[],
  contact: Contact | null,
  said: Said,
  context: OptOutContext,
): Promise<{ isNew: boolean; leadIds: number[] }> {
  const { actor, reason, leadId, byClinic } = said
  return db.transaction(async (trx) => {
    const found = contact ? await lockLeadsOf(trx, hashes, contact, context.key) : []
    // Of a phone field without a number nothing can be listed, but its provider's word counts for the lead.
    const own = found.length === 0 && byClinic && leadId !== null ? await leads.lock(trx, leadId) : null
    if (own) found.push(own)
    const added = await suppressions.add(trx, hashes, { reason, leadId, actor })
    const isNew = added.length > 0
    for (const lead of found) {
      const hasNotified = await notify(trx, lead, { isNew, timeZone: context.timeZone, except: byClinic?.providerId })
      if (isNew || hasNotified) await audit('lead', lead.id)
      if (byClinic) await confirm(trx, { lead_id: lead.id, provider_id: byClinic.providerId }, 'clinic')
      if (isNew || lead.outcome !== 'opted_out') await recordOptOut(trx, lead, said)
    }
    if (found.length === 0 && added[0] !== undefined) await audit('suppression', added[0])

    const leadIds = found.map(({ id }) => id)
    await changes.announce(trx, { leads: leadIds })
    return { isNew, leadIds }

    function audit(entity: 'lead' | 'suppression', entityId: number) {
      return auditLog.record(trx, { actor, action: 'opt-out', entity, entityId, details: { reason } })
    }
  })
}

/** Records the outcome of a lead that a clinic has. The note of a clinic is about its own request only. */
async function recordOptOut(
  trx: Transaction,
  lead: Lead,
  { reason, leadId, actor, why, byClinic }: Said,
): Promise<void> {
  if (lead.provider_id === null || lead.held_reason !== null) return
  await recordOn(trx, lead, {
    ...{ kind: 'opted_out', source: actor === 'crm' ? 'crm' : SOURCES[reason], actor },
    reason: why ?? 'asked_to_stop',
    note: lead.id === leadId ? byClinic?.note : undefined,
  })
}

/** Records that a clinic has stopped contact about a lead, if it was asked to. Returns the lead, or null. */
async function confirm(trx: Transaction, which: Parameters<typeof suppressions.confirm>[1], actor: string) {
  const leadId = await suppressions.confirm(trx, which, actor)
  if (leadId !== null) {
    await auditLog.record(trx, { actor, action: 'confirm-opt-out', entity: 'lead', entityId: leadId })
  }
  return leadId
}

/** Locks the leads of a person, in the order of their ids: two transactions never wait for each other. */
async function lockLeadsOf(trx: Transaction, hashes: PersonHash[], contact: Contact, key: Buffer): Promise<Lead[]> {
  const wanted = new Set(hashes.map(({ hash }) => hash))
  const found: Lead[] = []
  for (const id of await leadLists.idsOfPerson(trx, contact)) {
    const lead = await leads.lock(trx, id)
    // A search also finds phone numbers that only end in the same digits.
    if (lead && personHashes(key, lead).some(({ hash }) => wanted.has(hash))) found.push(lead)
  }
  return found
}

/**
 * Cancels open deliveries of a lead, and tells the clinics and the CRM that know of it. Returns false when none does.
 * @param except the clinic that has said so itself, which is not told
 */
async function notify(
  trx: Transaction,
  { id, provider_id, matched_at }: Lead,
  { isNew, timeZone, except }: { isNew: boolean; timeZone: string; except: number | undefined },
): Promise<boolean> {
  const subject = `lead:${id}` as const
  const knowing = new Set(providersThatKnow(await jobs.listEmails(trx, subject, matched_at), provider_id))
  // It has opened the request, whatever the ledger says about its email.
  if (except !== undefined && except === provider_id) knowing.add(except)
  await jobs.cancelOpen(trx, subject, ASKED_TO_STOP, CONTACTS)

  const asked = await suppressions.ask(trx, id, [...knowing], timeZone)
  const clinics = asked.filter((providerId) => providerId !== except)
  const owed = jobsForOptOut({ clinics, knownToCrm: await mustNotifyCrm(trx, id, isNew) })
  await jobs.add(trx, subject, owed)
  return asked.length > 0 || owed.length > 0
}

/** Tells whether the CRM knows of a lead, or soon will, and still has to be told of the wish. A new wish is always told. */
async function mustNotifyCrm(trx: Transaction, leadId: number, isNew: boolean): Promise<boolean> {
  const ofCrm = () =>
    trx('jobs')
      .where({ ...columnsOf(`lead:${leadId}`), name: 'sync-crm' })
      .whereNot('state', 'cancelled')
  if (!isNew && (await ofCrm().where('purpose', 'opted_out').first('id'))) return false
  return (
    (await jobs.isKnownToCrm(trx, `lead:${leadId}`)) ||
    (await ofCrm().where('state', 'waiting').first('id')) !== undefined
  )
}

/** Allows contact with the person of a lead again. @throws AppError `not_found`, `conflict` when it is allowed */
export async function allowContactOfLead(
  db: Db,
  id: number,
  { actor, because }: { actor: string; because: string },
  key: Buffer,
): Promise<void> {
  await db.transaction(async (trx) => {
    const lead = await leads.find(trx, id)
    if (!lead) throw leads.noSuchLead()
    if (!(await allowContact(trx, lead, { actor, because }, key))) throw notSuppressed()
    await auditLog.record(trx, { actor, action: 'lift-opt-out', entity: 'lead', entityId: id })
  })
}

/** Allows contact at one address or number again. @throws AppError `not_found`, `conflict` when it is allowed */
export async function allowContactAt(
  db: Db,
  id: number,
  { actor, because }: { actor: string; because: string },
): Promise<void> {
  await db.transaction(async (trx) => {
    const [lifted] = await suppressions.lift(trx, { id }, { actor, because })
    if (!lifted && !(await trx('suppressions').where({ id }).first('id'))) throw noSuchRow()
    if (!lifted) throw notSuppressed()
    const leadId = lifted.lead_id
    const isLast = !(await trx('suppressions')
      .where({ lead_id: leadId, ...suppressions.ACTIVE })
      .first('id'))
    if (leadId !== null && isLast && (await leads.lock(trx, leadId))) await withdraw(trx, [leadId])
    await auditLog.record(trx, { actor, action: 'lift-opt-out', entity: 'suppression', entityId: id })
    await changes.announce(trx, { leads: leadId === null ? [] : [leadId] })
  })
}

/** Allows contact with a person again, as part of another use case. Returns false when it is allowed. */
export async function allowContact(
  trx: Transaction,
  person: Contact,
  { actor, because }: { actor: string; because: string },
  key: Buffer,
): Promise<boolean> {
  const hashes = personHashes(key, person)
  const found = await lockLeadsOf(trx, hashes, person, key)
  const lifted = await suppressions.lift(trx, { hashes }, { actor, because })
  // A lead of the same person may name another address that is on the list.
  const still = await suppressions.among(trx, key, found)
  const leadIds = found.filter((lead) => !still.has(lead)).map(({ id }) => id)
  if (lifted.length > 0) await withdraw(trx, leadIds)
  await changes.announce(trx, { leads: leadIds })
  return lifted.length > 0
}

/** Withdraws what clinics were asked to confirm for these leads, and cancels notices that are not sent yet. */
async function withdraw(trx: Transaction, leadIds: number[]): Promise<void> {
  await suppressions.withdraw(trx, leadIds)
  for (const leadId of leadIds) {
    await jobs.cancelOpen(trx, `lead:${leadId}`, 'This person may be contacted again.', ['opted_out'])
  }
}

const noSuchRow = () => new AppError('not_found', 'There is no such address or number on the list.')

const notSuppressed = () => new AppError('conflict', 'This person may already be contacted. There is nothing to lift.')

/**
 * Records that a clinic has stopped contact. Idempotent.
 * @returns false when it was recorded before
 * @throws AppError `not_found` when the clinic was not asked, or the request was withdrawn
 */
export async function confirmClinicOptOut(db: Db, id: number, { actor }: { actor: string }): Promise<boolean> {
  return db.transaction(async (trx) => {
    const leadId = await confirm(trx, { id }, actor)
    if (leadId === null && (await suppressions.find(trx, { id })).length === 0) {
      throw new AppError('not_found', 'There is nothing left to confirm.')
    }
    if (leadId !== null) await changes.announce(trx, { leads: [leadId] })
    return leadId !== null
  })
}
