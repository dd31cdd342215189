import type { StaffAccount, StaffUpdate } from '../../contract/staff.ts'
import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import * as links from '../../stores/staff-links.ts'
import * as staffSessions from '../../stores/staff-sessions.ts'
import type { Actor } from '../actor.ts'
import { entity, lockFor } from './account.ts'

/**
 * Changes name or role, disables or enables. One manager always stays: managers cannot remove their own rights, and of two
 * who disable each other at the same time the second is refused.
 * @throws AppError `not_found`, `conflict` when it is one's own account, `forbidden` when the actor has lost the role
 */
export async function changeStaff(db: Db, id: number, update: StaffUpdate, by: Actor): Promise<StaffAccount> {
  const { actor, actorId } = by
  return db.transaction(async (trx) => {
    await lockFor(trx, id, by)
    if (actorId === id && (update.disabled || (update.role && update.role !== 'manager'))) {
      throw new AppError('conflict', 'You cannot remove your own rights. Ask another manager.')
    }

    const before = await accounts.get(trx, id)
    await accounts.change(trx, id, update)
    const after = await accounts.get(trx, id)
    if (after.disabled_at) {
      await staffSessions.endAll(trx, id)
      await links.end(trx, id)
    }
    for (const line of changes(before, after)) await auditLog.record(trx, { actor, entity, entityId: id, ...line })
    return accounts.get(trx, id)
  })
}

/** Lists the changes as lines of the audit log. */
function changes(before: StaffAccount, after: StaffAccount) {
  const lines: Pick<auditLog.AuditEntry, 'action' | 'details'>[] = []
  if (before.name !== after.name || before.role !== after.role) {
    const role = before.role !== after.role && { from: before.role, to: after.role }
    lines.push({ action: 'change', details: { renamed: before.name !== after.name, ...role } })
  }
  if (!before.disabled_at && after.disabled_at) lines.push({ action: 'disable' })
  if (before.disabled_at && !after.disabled_at) lines.push({ action: 'enable' })
  return lines
}
