import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as deletedLeads from '../../stores/deleted-leads.ts'
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
