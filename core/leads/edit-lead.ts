import { LEAD_FIELD_NAMES } from '../contract/lead-form.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { LeadEdit } from './contract/lead-changes.ts'
import type { LeadNote, LeadWorkChange, NewLeadNote } from './contract/lead-work.ts'
import type { Lead } from './contract/leads.ts'
import { askedToStop, onLead } from './record-outcome.ts'
import { decideRepeat } from './rules/duplicates.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import * as leadChanges from './stores/lead-changes.ts'
import * as leadWork from './stores/lead-work.ts'
import * as leads from './stores/leads.ts'
import { findEarlier } from './stores/repeats.ts'

/**
 * Corrects what a visitor has typed. Tells the CRM, if it knows the lead, and recomputes the earlier requests of the person.
 * E-mails that wait go to the new address. The key against repeated forms stays, because it is that of the form. A clinic
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
  if (edits.some(({ field }) => field === 'email' || field === 'phone')) {
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
    'A person with this e-mail address or phone number asked not to be contacted, so it cannot be changed.',
  )
}

/**
 * Sends the e-mails of a corrected lead again: to the visitor, and to the clinic or else the team, whether the first ones
 * arrived or not, because they may have reached a stranger.
 * @throws AppError `not_found`; `conflict` when the lead is held or the person asked not to be contacted
 */
export async function sendAgain(
  db: Db,
  id: number,
  { actor, personKey }: Actor & { personKey: Buffer },
): Promise<void> {
  await onLead(db, id, async (trx, lead) => {
    refuseHeld(lead)
    if (await suppressions.isSuppressed(trx, personKey, lead)) throw askedToStop()
    const first = lead.provider_id === null ? 'team' : 'provider'
    await jobs.add(trx, `lead:${id}`, [
      { name: 'send-email', purpose: first },
      { name: 'send-email', purpose: 'visitor' },
    ])
    await auditLog.record(trx, { actor, action: 'retry-email', entity: 'lead', entityId: id })
  })
}

/**
 * Looks for a clinic again, for a lead that has none.
 * @throws AppError `not_found`; `conflict` when the lead is held or has a clinic
 */
export async function matchAgain(db: Db, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx, lead) => {
    refuseHeld(lead)
    if (lead.provider_id !== null) throw new AppError('conflict', 'This lead has a clinic already.')
    await jobs.add(trx, `lead:${id}`, [{ name: 'match-lead', purpose: 'nearest' }])
    await auditLog.record(trx, { actor, action: 'retry-match', entity: 'lead', entityId: id })
  })
}

function refuseHeld({ held_reason }: Lead): void {
  if (held_reason !== null) throw new AppError('conflict', 'This lead is held. Release it first.')
}

/**
 * Changes the owner, the next action or the tags of a lead. A change to the present values does nothing. The audit log names
 * the changed fields and the owner only, because the rest is free text.
 * @throws AppError `not_found`; `invalid` for an owner who has no enabled account
 */
export async function changeWork(db: Db, id: number, wanted: LeadWorkChange, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx) => {
    const { owner, ...before } = await leadWork.find(trx, id)
    const present = { ...before, owner_id: owner?.id ?? null }
    const fields = (Object.keys(wanted) as (keyof LeadWorkChange)[]).filter((field) => {
      return wanted[field] !== undefined && keyOf(wanted[field]) !== keyOf(present[field])
    })
    if (fields.length === 0) return
    if (fields.includes('owner_id') && wanted.owner_id) await refuseUnknown(trx, wanted.owner_id)

    await leadWork.change(trx, id, Object.fromEntries(fields.map((field) => [field, wanted[field]])))
    const details = { fields, ...(fields.includes('owner_id') && { owner: wanted.owner_id }) }
    await auditLog.record(trx, { actor, action: 'change-work', entity: 'lead', entityId: id, details })
  })
}

/** Tags are a set. */
const keyOf = (value: string | number | string[] | null | undefined) =>
  JSON.stringify(Array.isArray(value) ? value.toSorted() : value)

async function refuseUnknown(trx: Transaction, accountId: number): Promise<void> {
  if ((await leadWork.findColleagues(trx, [accountId])).length > 0) return
  const message = 'This person has no account any more. Choose another one.'
  throw new AppError('invalid', message, { fields: { owner_id: message } })
}

/** Adds a note to a lead. @throws AppError `not_found` */
export async function addNote(db: Db, id: number, { body }: NewLeadNote, { actor }: Actor): Promise<LeadNote> {
  return onLead(db, id, async (trx) => {
    const noteId = await leadWork.addNote(trx, id, { body, author: actor })
    await auditLog.record(trx, { actor, action: 'add-note', entity: 'lead', entityId: id, details: { note: noteId } })
    return only((await leadWork.listNotes(trx, id)).filter((note) => note.id === noteId))
  })
}

/**
 * Deletes a note of a lead.
 * @param mayDeleteAll whether the actor may delete the notes of others
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteNote(
  db: Db,
  id: number,
  noteId: number,
  { actor, mayDeleteAll }: Actor & { mayDeleteAll: boolean },
): Promise<void> {
  await onLead(db, id, async (trx) => {
    const author = await leadWork.findAuthor(trx, id, noteId)
    if (author === undefined) throw new AppError('not_found', 'There is no such note. It may have been deleted.')
    if (author !== actor && !mayDeleteAll) {
      throw new AppError('forbidden', 'You can delete your own notes. Managers can delete all.')
    }
    await leadWork.removeNote(trx, noteId)
    await auditLog.record(trx, {
      actor,
      action: 'delete-note',
      entity: 'lead',
      entityId: id,
      details: { note: noteId },
    })
  })
}
