import type { LeadNote, LeadWorkChange, NewLeadNote } from '../../contract/lead-work.ts'
import { AppError } from '../../errors.ts'
import { type Db, only, type Transaction } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as leadWork from '../../stores/lead-work.ts'
import type { Actor } from '../actor.ts'
import { onLead } from './on-lead.ts'

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
