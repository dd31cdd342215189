import { LEAD_FIELD_NAMES } from '../contract/forms.ts'
import { jobsForPurgedLead } from '../deliveries/rules/deliveries.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError, invalidField } from '../errors.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import * as erasures from '../privacy/stores/erasures.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import {
  type LeadEdit,
  type LeadWorkChange,
  MAX_TAGS,
  type NewLeadNote,
  TOO_MANY_TAGS,
} from './contract/lead-changes.ts'
import type { Lead } from './contract/leads.ts'
import { onLead } from './record-outcome.ts'
import { decideRepeat } from './rules/duplicates.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import * as leadChanges from './stores/lead-changes.ts'
import { lock } from './stores/lead-changes.ts'
import * as leads from './stores/leads.ts'
import * as outcomes from './stores/outcomes.ts'
import { findEarlier } from './stores/repeats.ts'

/**
 * Corrects what a visitor has typed. Tells the CRM, if it knows the lead, and recomputes the earlier requests of the person.
 * Emails that wait go to the new address. The key against repeated forms stays, because it is that of the form. A clinic
 * that has said that the number is wrong gets the request again with the new one, and its time for an answer anew.
 * @throws AppError `not_found`; `conflict` when the person, before or after the change, asked not to be contacted
 */
export async function editLead(
  db: Db,
  id: number,
  wanted: LeadEdit,
  actor: Actor & { personKey: Buffer },
): Promise<void> {
  await onLead(db, id, (trx, lead) => editOn(trx, lead, wanted, actor))
}

/** Corrects a lead in a transaction that holds its lock. @throws AppError `conflict` as `editLead` does */
export async function editOn(
  trx: Transaction,
  lead: Lead,
  wanted: LeadEdit,
  { actor, personKey }: Actor & { personKey: Buffer },
): Promise<void> {
  const { id } = lead
  const edits = LEAD_FIELD_NAMES.flatMap((field) => {
    const [was, became] = [lead[field] ?? '', wanted[field]]
    return became === undefined || became === was ? [] : { field, was, became }
  })
  if (edits.length === 0) return
  const edited = { ...lead, ...Object.fromEntries(edits.map(({ field, became }) => [field, became])) } as Lead
  if (wanted.again || edits.some(({ field }) => field === 'email' || field === 'phone')) {
    await refuseSuppressed(trx, [lead, edited], personKey)
  }

  const { repeatOf } = decideRepeat(only(await findEarlier(trx, [edited])))
  const changed = Object.fromEntries(edits.map(({ field, became }) => [field, became]))
  await trx('leads')
    .where({ id })
    .update({ ...changed, repeat_of: repeatOf })
  await leadChanges.add(trx, id, edits, actor)
  if (await jobs.isOwedToCrm(trx, `lead:${id}`)) {
    const purpose = lead.provider_id === null ? 'created' : 'matched'
    await jobs.add(trx, `lead:${id}`, [{ name: 'sync-crm', purpose }])
  }
  if (lead.outcome === 'wrong_number' && edits.some(({ field }) => field === 'phone')) await callAgain(trx, lead)
  if (wanted.again && lead.held_reason === null) await deliverAgain(trx, lead, wanted)
  const details = { fields: edits.map(({ field }) => field) }
  await auditLog.record(trx, { actor, action: 'edit', entity: 'lead', entityId: id, details })
}

/** Has the clinic call the corrected number: it gets the request again, and starts without an outcome. */
async function callAgain(trx: Transaction, { id, provider_id }: Lead): Promise<void> {
  await leads.reopen(trx, id)
  await jobs.cancelOpen(trx, `lead:${id}`, 'The phone number was corrected.', ['wrong_number'])
  if (provider_id === null) return
  await answerClocks.restart(trx, id, provider_id)
  await jobs.add(trx, `lead:${id}`, [{ name: 'send-email', purpose: 'provider' }])
}

/** Refuses to give the lead of a person who asked for no contact another address, and any lead that person's address. */
async function refuseSuppressed(trx: Transaction, people: Lead[], personKey: Buffer): Promise<void> {
  const suppressed = await suppressions.among(trx, personKey, people)
  if (suppressed.size === 0) return
  throw new AppError(
    'conflict',
    'A person with this email address or phone number asked not to be contacted, so it cannot be changed.',
  )
}

/**
 * Sends the emails of a corrected lead again, to the visitor, and to the provider or else the team, whether the first ones
 * arrived or not, because they may have reached a stranger. A lead without a provider is matched again after a new zip code.
 */
async function deliverAgain(trx: Transaction, { id, provider_id }: Lead, wanted: LeadEdit): Promise<void> {
  if (provider_id === null && wanted.zip_code !== undefined) {
    await jobs.add(trx, `lead:${id}`, [{ name: 'match-lead', purpose: 'nearest' }])
    return
  }
  const first = provider_id === null ? 'team' : 'provider'
  await jobs.add(trx, `lead:${id}`, [
    { name: 'send-email', purpose: first },
    { name: 'send-email', purpose: 'visitor' },
  ])
}

/**
 * Changes the owner, the next action or the tags of a lead. A change to the present values does nothing. The audit log names
 * the changed fields and the owner only, because the rest is free text.
 * @throws AppError `not_found`; `invalid` for an owner who has no enabled account; `conflict` for too many tags
 */
export async function changeWork(
  db: Db,
  id: number,
  { add_tag, remove_tag, ...change }: LeadWorkChange,
  { actor }: Actor,
): Promise<void> {
  await onLead(db, id, async (trx) => {
    const { owner, ...before } = await leadChanges.findWork(trx, id)
    const wanted = { ...change }
    if (add_tag !== undefined || remove_tag !== undefined) {
      const tags = [...(wanted.tags ?? before.tags), ...(add_tag === undefined ? [] : [add_tag])]
      wanted.tags = [...new Set(tags)].filter((tag) => tag !== remove_tag)
      if (wanted.tags.length > MAX_TAGS) throw new AppError('conflict', `${TOO_MANY_TAGS}.`)
    }
    const present = { ...before, owner_id: owner?.id ?? null }
    const fields = (Object.keys(wanted) as (keyof typeof wanted)[]).filter((field) => {
      return wanted[field] !== undefined && keyOf(wanted[field]) !== keyOf(present[field])
    })
    if (fields.length === 0) return
    const { owner_id } = wanted
    if (fields.includes('owner_id') && owner_id && (await leadChanges.findColleagues(trx, [owner_id])).length === 0) {
      throw invalidField('owner_id', 'This person no longer has an account. Choose another one.')
    }

    await leadChanges.changeWork(trx, id, Object.fromEntries(fields.map((field) => [field, wanted[field]])))
    const details = { fields, ...(fields.includes('owner_id') && { owner: wanted.owner_id }) }
    await auditLog.record(trx, { actor, action: 'change-work', entity: 'lead', entityId: id, details })
  })
}

/** Tags are a set. */
const keyOf = (value: string | number | string[] | null | undefined) =>
  JSON.stringify(Array.isArray(value) ? value.toSorted() : value)

/** Adds a note to a lead. @throws AppError `not_found` */
export async function addNote(db: Db, id: number, { body }: NewLeadNote, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx) => {
    const note = { lead_id: id, body, author: actor }
    const details = { note: only(await trx('lead_notes').insert(note).returning('id')).id }
    await auditLog.record(trx, { actor, action: 'add-note', entity: 'lead', entityId: id, details })
  })
}

/**
 * Deletes a note of a lead.
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteNote(db: Db, id: number, noteId: number, by: leadChanges.NoteDeletion): Promise<void> {
  await onLead(db, id, async (trx) => {
    await leadChanges.deleteNote(trx('lead_notes').where({ id: noteId, lead_id: id }), by)
    const details = { note: noteId }
    await auditLog.record(trx, { actor: by.actor, action: 'delete-note', entity: 'lead', entityId: id, details })
  })
}

const MAX_PURGED_AT_ONCE = 100
/**
 * In milliseconds: the notices of many deletions to clinics and CRM become due one after the other, so that new leads do
 * not wait behind thousands of them.
 */
const NOTICE_INTERVAL = 20

/** Deletes a deleted lead permanently, before its time. @throws AppError `not_found` */
export async function purgeLead(
  db: Db,
  id: number,
  { actor, personKey }: Actor & { personKey: Buffer },
): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await lock(trx, id))?.deleted_at) {
      throw new AppError('not_found', 'There is no such deleted lead. It may have been restored.')
    }
    await eraseLead(trx, id, { reason: 'deleted', personKey })
    await auditLog.record(trx, { actor, action: 'purge', entity: 'lead', entityId: id })
    await changes.announce(trx, { leads: [id] })
  })
}

/** The leads to delete permanently, locked, and why. `done` is how many the same purge has deleted before. */
type Purge = {
  find: (trx: Transaction) => Promise<number[]>
  reason: 'deleted' | 'retention'
  personKey: Buffer
  done: number
}

/** Deletes leads permanently, up to 100 at once. Returns how many were deleted. */
async function purge(db: Db, { find, reason, personKey, done }: Purge): Promise<number> {
  return db.transaction(async (trx) => {
    const ids = await find(trx)
    for (const [position, id] of ids.entries()) {
      await eraseLead(trx, id, { reason, personKey }, (done + position) * NOTICE_INTERVAL)
      const details = reason === 'retention' ? { details: { reason } } : {}
      await auditLog.record(trx, { actor: 'system', action: 'purge', entity: 'lead', entityId: id, ...details })
    }
    return ids.length
  })
}

/** Purges the leads that were deleted more than `days` ago. */
export async function purgeDeletedLeads(db: Db, days: number, personKey: Buffer, done = 0): Promise<number> {
  const find = async (trx: Transaction): Promise<number[]> =>
    trx('all_leads')
      .whereRaw(`deleted_at <= now() - ? * interval '24 hours'`, [days])
      .limit(MAX_PURGED_AT_ONCE)
      .forUpdate()
      .skipLocked()
      .pluck('id')
  return purge(db, { find, reason: 'deleted', personKey, done })
}

/** Purges the leads that came in more than `days` ago and had no delivery since, the oldest first. */
export async function purgeExpiredLeads(db: Db, days: number, personKey: Buffer, done = 0): Promise<number> {
  if (days === Infinity) return 0
  const find = async (trx: Transaction): Promise<number[]> =>
    trx('leads')
      .whereRaw(
        `created_at <= now() - :days * interval '24 hours' and not exists (
           select from jobs where subject_kind = 'lead' and subject_id = leads.id
             and (state in ('waiting', 'enqueued') or finished_at > now() - :days * interval '24 hours'))`,
        { days },
      )
      .orderBy('created_at')
      .limit(MAX_PURGED_AT_ONCE)
      .forUpdate()
      .skipLocked()
      .pluck('id')
  return purge(db, { find, reason: 'retention', personKey, done })
}

/**
 * Deletes one lead permanently, whether it was deleted before or not, with its jobs, and records its erasure. Adds the jobs that
 * ask clinic and CRM to delete it as well, after a delay. The caller holds its lock.
 */
export async function eraseLead(trx: Transaction, id: number, erasing: erasures.Erasing, delay = 0): Promise<void> {
  const lead = only(await trx('all_leads').where({ id }).delete().returning('*'))
  const subject = `lead:${id}` as const
  const owed = jobsForPurgedLead(await jobs.listEmails(trx, subject, lead.matched_at?.toISOString() ?? null), {
    clinic: lead.provider_id,
    isTest: lead.is_test,
    knownToCrm: await jobs.isKnownToCrm(trx, subject),
    reason: erasing.reason,
  })
  await jobs.remove(trx, subject)
  await outcomes.remove(trx, id)
  await leadChanges.remove(trx, id)
  await answerClocks.restart(trx, id, null)
  await jobs.add(trx, subject, owed, { delay })
  await erasures.record(trx, 'lead', lead, erasing)
}

/**
 * Deletes the lead and cancels its open jobs. It can be restored until it is purged. The evidence of consent stays.
 * @throws AppError `not_found`
 */
export async function deleteLead(db: Db, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx) => {
    await leadChanges.setAside(trx, id)
    await auditLog.record(trx, { actor, action: 'delete', entity: 'lead', entityId: id })
  })
}

/**
 * Restores a deleted lead and its open jobs.
 * @throws AppError `not_found` when it is deleted permanently, `conflict` when the lead is not deleted
 */
export async function restoreLead(db: Db, id: number, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await leadChanges.restore(trx, id))) {
      if (await leads.find(trx, id)) throw new AppError('conflict', 'This lead is not deleted. It is in the list.')
      throw new AppError('not_found', 'This lead was permanently deleted and cannot be restored.')
    }
    await auditLog.record(trx, { actor, action: 'restore', entity: 'lead', entityId: id })
    await changes.announce(trx, { leads: [id] })
  })
}
