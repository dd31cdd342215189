import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as jobs from '../../stores/jobs.ts'
import * as factors from '../../stores/staff-factors.ts'
import * as staffSessions from '../../stores/staff-sessions.ts'
import type { Actor } from '../actor.ts'
import { lockFor } from './account.ts'

/**
 * Removes all second factors of an account, and ends its sessions. Refuses one's own account, because a stolen session must
 * not remove them.
 * @throws AppError `not_found`, `conflict`, `forbidden`
 */
export async function resetFactors(db: Db, id: number, by: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await lockFor(trx, id, by)
    if (by.actorId === id) throw new AppError('conflict', 'You cannot reset your own two-step sign-in.')
    if ((await factors.kinds(trx, id)).length === 0) {
      throw new AppError('conflict', 'This account has no two-step sign-in.')
    }
    await factors.removeAll(trx, id)
    await staffSessions.endAll(trx, id)
    await auditLog.record(trx, { actor: by.actor, action: 'reset-factors', entity: 'staff', entityId: id })
    await jobs.add(trx, { accountId: id }, [{ name: 'send-email', purpose: 'factor_removed' }])
  })
}
