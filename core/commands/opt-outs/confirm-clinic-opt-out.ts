import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'

/**
 * Records that a clinic has stopped contact. Idempotent.
 * @returns false when it was recorded before
 * @throws AppError `not_found` when the clinic was not asked, or the request was withdrawn
 */
export async function confirmClinicOptOut(db: Db, id: number, { actor }: { actor: string }): Promise<boolean> {
  return db.transaction(async (trx) => {
    const row = await trx('opt_outs').where({ id, withdrawn_at: null }).forUpdate().first('lead_id', 'confirmed_at')
    if (!row) throw new AppError('not_found', 'There is nothing to confirm any more.')
    if (row.confirmed_at !== null) return false

    await trx('opt_outs').where({ id }).update({ confirmed_at: trx.fn.now(), confirmed_by: actor })
    await auditLog.record(trx, { actor, action: 'confirm-opt-out', entity: 'lead', entityId: row.lead_id })
    await changes.announce(trx, { leads: [row.lead_id] })
    return true
  })
}
