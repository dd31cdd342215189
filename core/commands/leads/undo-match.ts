import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as matchChanges from '../../stores/match-changes.ts'
import type { Actor } from '../actor.ts'
import { onLead } from './on-lead.ts'

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
