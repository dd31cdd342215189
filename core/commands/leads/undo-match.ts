import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as matchChanges from '../../stores/match-changes.ts'
import type { Actor } from '../actor.ts'
import { onLead } from './on-lead.ts'

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
    if (!(await matchChanges.undo(trx, id))) {
      throw new AppError('conflict', 'It is too late to undo this match. Change the clinic instead.')
    }
    const details = { from: lead.provider_id }
    await auditLog.record(trx, { actor, action: 'undo-match', entity: 'lead', entityId: id, details })
  })
}
