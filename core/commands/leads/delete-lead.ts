import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'
import * as deletedLeads from '../../stores/deleted-leads.ts'
import * as leads from '../../stores/leads.ts'
import type { Actor } from '../actor.ts'
import { onLead } from './on-lead.ts'

/**
 * Deletes the lead and cancels its open jobs. It can be restored until it is purged. The evidence of consent stays.
 * @throws AppError `not_found`
 */
export async function deleteLead(db: Db, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx) => {
    await deletedLeads.setAside(trx, id)
    await auditLog.record(trx, { actor, action: 'delete', entity: 'lead', entityId: id })
  })
}

/**
 * Restores a deleted lead and its open jobs.
 * @throws AppError `not_found` when it is deleted for good, `conflict` when the lead is not deleted
 */
export async function restoreLead(db: Db, id: number, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await deletedLeads.restore(trx, id))) {
      if (await leads.find(trx, id)) throw new AppError('conflict', 'This lead is not deleted. It is in the list.')
      throw new AppError('not_found', 'This lead was deleted for good and cannot be restored.')
    }
    await auditLog.record(trx, { actor, action: 'restore', entity: 'lead', entityId: id })
    await changes.announce(trx, { leads: [id] })
  })
}
