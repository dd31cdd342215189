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
 * Deletes a note of an application.
 * @param mayDeleteAll whether the actor may delete the notes of others
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteApplicationNote(
  db: Db,
  id: number,
  noteId: number,
  { actor, mayDeleteAll }: Actor & { mayDeleteAll: boolean },
): Promise<void> {
  await onApplication(db, id, async (trx) => {
    const author = await details.findAuthor(trx, id, noteId)
    if (author === undefined) throw new AppError('not_found', 'There is no such note. It may have been deleted.')
    if (author !== actor && !mayDeleteAll) {
      throw new AppError('forbidden', 'You can delete your own notes. Managers can delete all.')
    }
    await details.removeNote(trx, noteId)
    const line = { actor, action: 'delete-application-note', entity, entityId: id } as const
    await auditLog.record(trx, { ...line, details: { note: noteId } })
  })
}
