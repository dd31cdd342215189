import type { Lead } from '../contract/leads.ts'
import type { LeadOptOut, OptOutReason } from '../contract/opt-outs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { CONTACTS, clinicsThatKnow, jobsForOptOut } from '../rules/deliveries.ts'
import type { OptOutLink } from '../rules/opt-out-links.ts'
import { type Contact, type PersonHash, personHashes } from '../rules/person-hash.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as changes from '../stores/changes.ts'
import * as clinicOptOuts from '../stores/clinic-opt-outs.ts'
import * as jobs from '../stores/jobs.ts'
import * as leadLists from '../stores/lead-lists.ts'
import * as leads from '../stores/leads.ts'
import * as suppressions from '../stores/suppressions.ts'

/** Why nothing is sent to a person, or about that person to a clinic. */
export const ASKED_TO_STOP = 'This person asked not to be contacted.'

/** `key` is that of the purpose `person-hash`; `timeZone` is the network's, in which business days are counted. */
export type OptOutContext = { key: Buffer; timeZone: string }

type Said = { reason: OptOutReason; leadId: number | null; actor: string }

/** Stops contact with the person of a lead. @throws AppError `not_found` */
export async function ofLead(db: Db, id: number, { actor }: { actor: string }, context: OptOutContext): Promise<void> {
  const lead = await leads.find(db, id)
  if (!lead) throw noSuchLead()
  await stop(db, personHashes(context.key, lead), lead, { reason: 'staff', leadId: id, actor }, context)
}

/** Stops contact with a person whom staff name by e-mail or phone. Returns how many leads of that person there are. */
export async function byHand(
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
 * Stops contact with the person of a link. Where the lead is gone for good, only the hashes in the link are left: they go
 * on the list, and other leads of the person are found when something is to be sent for them.
 * @returns false when it was done before
 */
export async function byLink(
  db: Db,
  { leadId, hashes }: Extract<OptOutLink, { of: 'person' }>,
  context: OptOutContext,
): Promise<boolean> {
  const contact = leadId === null ? null : await contactOf(db, leadId)
  const { isNew } = await stop(db, hashes, contact, { reason: 'link', leadId, actor: 'visitor' }, context)
  return isNew
}

/** Whether all that a link names is on the list. */
export async function isDone(db: Db, { hashes }: Extract<OptOutLink, { of: 'person' }>): Promise<boolean> {
  const found = await db('suppressions')
    .where(suppressions.ACTIVE)
    .whereIn(
      'hash',
      hashes.map(({ hash }) => hash),
    )
    .pluck('id')
  return found.length === hashes.length
}

/** The contact details of a lead, also of one that can still be restored. */
async function contactOf(db: Db, leadId: number): Promise<Contact | null> {
  const lead = await leads.find(db, leadId)
  return lead ?? (await db('deleted_leads').where('id', leadId).first('lead'))?.lead ?? null
}

/**
 * Puts a person on the list, in one transaction with all that follows for that person's leads: what is still to be sent is
 * cancelled, and the clinics and the CRM that know of a lead are told.
 */
async function stop(
  db: Db,
  hashes: PersonHash[],
  contact: Contact | null,
  { actor, ...said }: Said,
  context: OptOutContext,
): Promise<{ isNew: boolean; leadIds: number[] }> {
  return db.transaction(async (trx) => {
    const found = contact ? await lockLeadsOf(trx, hashes, contact, context.key) : []
    const added = await suppressions.add(trx, hashes, { ...said, actor })
    for (const lead of found) {
      const isNew = added.length > 0
      const hasTold = await tell(trx, lead, { isNew, timeZone: context.timeZone })
      if (isNew || hasTold) await audit('lead', lead.id)
    }
    if (found.length === 0 && added[0] !== undefined) await audit('suppression', added[0])

    const leadIds = found.map(({ id }) => id)
    await changes.announce(trx, { leads: leadIds })
    return { isNew: added.length > 0, leadIds }

    function audit(entity: 'lead' | 'suppression', entityId: number) {
      return auditLog.record(trx, { actor, action: 'opt-out', entity, entityId, details: { reason: said.reason } })
    }
  })
}

/** Locks the leads of a person, in the order of their ids, so that two who do it never wait for each other. */
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

/** Stops what goes on for a lead, and tells those that know of it. Returns whether there was anybody to tell. */
async function tell(
  trx: Transaction,
  { id, provider_id, matched_at }: Lead,
  { isNew, timeZone }: { isNew: boolean; timeZone: string },
): Promise<boolean> {
  const owner = { leadId: id }
  const knowing = clinicsThatKnow(await jobs.listEmails(trx, owner, matched_at), provider_id)
  await jobs.cancelOpen(trx, owner, ASKED_TO_STOP, CONTACTS)

  const clinics = await clinicOptOuts.ask(trx, id, knowing, timeZone)
  const owed = jobsForOptOut({ clinics, knownToCrm: await mustTellCrm(trx, id, isNew) })
  await jobs.add(trx, owner, owed)
  return owed.length > 0
}

/** Whether the CRM knows of a lead, or is about to; and was not told of the wish before, unless the wish `isNew`. */
async function mustTellCrm(trx: Transaction, leadId: number, isNew: boolean): Promise<boolean> {
  const ofCrm = () => trx('jobs').where({ lead_id: leadId, name: 'sync-crm' }).whereNot('state', 'cancelled')
  if (!isNew && (await ofCrm().where('purpose', 'opted_out').first('id'))) return false
  return (
    (await jobs.isKnownToCrm(trx, { leadId })) || (await ofCrm().where('state', 'waiting').first('id')) !== undefined
  )
}

/**
 * Allows contact with the person of a lead again. @throws AppError `not_found`, `conflict` when it is allowed
 */
export async function liftOfLead(
  db: Db,
  id: number,
  { actor, because }: { actor: string; because: string },
  key: Buffer,
): Promise<void> {
  await db.transaction(async (trx) => {
    const lead = await leads.find(trx, id)
    if (!lead) throw noSuchLead()
    if (!(await liftFor(trx, lead, { actor, because }, key))) throw notSuppressed()
    await auditLog.record(trx, { actor, action: 'lift-opt-out', entity: 'lead', entityId: id })
  })
}

/** Allows contact at one address or number again. @throws AppError `not_found`, `conflict` when it is allowed */
export async function liftOne(
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

/** Allows contact with a person again, as a part of another act. Returns false when it is allowed. */
export async function liftFor(
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

/** Ends the time that clinics have for these leads, and does not tell those that were not told yet. */
async function withdraw(trx: Transaction, leadIds: number[]): Promise<void> {
  await clinicOptOuts.withdraw(trx, leadIds)
  for (const leadId of leadIds) {
    await jobs.cancelOpen(trx, { leadId }, 'This person may be contacted again.', ['opted_out'])
  }
}

/** Whether the person of a lead may be contacted, and which clinics were told to stop. @throws AppError `not_found` */
export async function findOfLead(db: Db, id: number, key: Buffer): Promise<LeadOptOut> {
  const lead = await leads.find(db, id)
  if (!lead) throw noSuchLead()
  return { since: await suppressions.findOf(db, key, lead), clinics: await clinicOptOuts.find(db, { lead_id: id }) }
}

const noSuchLead = () => new AppError('not_found', 'There is no such lead. It may have been deleted.')
const noSuchRow = () => new AppError('not_found', 'There is no such address or number on the list.')
const notSuppressed = () => new AppError('conflict', 'This person may be contacted already. There is nothing to lift.')
