import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import type * as erasures from '../../stores/erasures.ts'
import { findRow } from '../../stores/persons.ts'
import { eraseForm, type Keys } from './erase-person.ts'

/**
 * Deletes again the erased forms that a restored backup has brought back. A form is the same when its kind, its number and
 * its receipt (without a receipt: its time) are.
 * @returns how many were deleted
 */
export async function reapplyErasures(db: Db, erased: erasures.Tombstone[], { personKey }: Keys): Promise<number> {
  let count = 0
  for (const { kind, row_id: id, reference, sent_at, reason } of erased) {
    count += await db.transaction(async (trx) => {
      const row = (await findRow(trx, kind, id))?.row
      if (!row) return 0
      const isSame =
        reference === null
          ? new Date(String(row.created_at)).getTime() === new Date(sent_at).getTime()
          : String(row.reference) === reference
      if (!isSame) return 0
      // The person's request itself is lost; the line in the audit log says that it was made.
      await eraseForm(trx, { kind, id }, { reason: reason === 'request' ? 'deleted' : reason, personKey })
      const details = { again: true, reason }
      await auditLog.record(trx, { actor: 'command line', action: 'erase', entity: kind, entityId: id, details })
      return 1
    })
  }
  return count
}
