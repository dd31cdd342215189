import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as details from '../../stores/application-details.ts'
import * as auditLog from '../../stores/audit-log.ts'
import type { Actor } from '../actor.ts'
import { entity, onApplication } from './on-application.ts'

/**
 * Sets or clears the owner of an application. Idempotent.
 * @throws AppError `not_found`, `conflict` when the account does not exist or is disabled
 */
export async function assignApplication(db: Db, id: number, ownerId: number | null, { actor }: Actor): Promise<void> {
  await onApplication(db, id, async (trx, application) => {
    if (application.owner_id === ownerId) return

    const owner =
      ownerId === null ? null : await trx('staff_accounts').where('id', ownerId).first('name', 'disabled_at')
    if (owner === undefined || owner?.disabled_at) {
      throw new AppError('conflict', 'This account does not exist or is disabled. Choose another owner.')
    }
    await trx('provider_applications').where({ id }).update({ owner_id: ownerId })
    await auditLog.record(trx, {
      ...{ actor, action: 'application-owner', entity, entityId: id },
      details: { from: application.owner_id, to: ownerId, name: owner?.name ?? application.owner_name },
    })
  })
}

/** Adds a note to an application. @throws AppError `not_found` */
export async function addApplicationNote(db: Db, id: number, text: string, { actor }: Actor): Promise<void> {
  await onApplication(db, id, async (trx) => {
    await details.addNote(trx, id, { author: actor, text })
    await auditLog.record(trx, { actor, action: 'application-note', entity, entityId: id })
  })
}

/**
 * Deletes a note of an application, or restores it.
 * @param mayDeleteAll whether the actor may delete and restore the notes of others
 * @throws AppError `not_found`, `forbidden`
 */
export async function setNoteDeleted(
  db: Db,
  id: number,
  { noteId, isDeleted }: { noteId: number; isDeleted: boolean },
  { actor, mayDeleteAll }: Actor & { mayDeleteAll: boolean },
): Promise<void> {
  await onApplication(db, id, async (trx) => {
    const note = await details.findNote(trx, id, noteId)
    if (!note) throw new AppError('not_found', 'There is no such note. It may have been deleted for good.')
    if (note.author !== actor && !mayDeleteAll) {
      throw new AppError('forbidden', 'You can delete your own notes. Managers can delete all.')
    }
    if ((note.deleted_at !== null) === isDeleted) return
    await details.setNoteDeleted(trx, noteId, isDeleted)
    const action = isDeleted ? 'delete-application-note' : 'restore-application-note'
    await auditLog.record(trx, { actor, action, entity, entityId: id, details: { note: noteId } })
  })
}
