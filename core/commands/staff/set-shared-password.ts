import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import * as staffSessions from '../../stores/staff-sessions.ts'
import * as settings from '../../stores/staff-settings.ts'
import type { Actor } from '../actor.ts'

/**
 * Switches the shared password on or off. Off also ends its sessions.
 * @throws AppError `conflict` when no manager could sign in without it
 */
export async function setSharedPassword(db: Db, isOn: boolean, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if (!isOn && !(await accounts.canSignIn(trx, 'manager'))) {
      throw new AppError('conflict', 'First give a manager an account, and let them choose a password.')
    }
    await settings.setSharedPassword(trx, isOn)
    if (!isOn) await staffSessions.endShared(trx)
    const action = isOn ? 'shared-password-on' : 'shared-password-off'
    await auditLog.record(trx, { actor, action, entity: 'staff', entityId: 'all' })
  })
}
