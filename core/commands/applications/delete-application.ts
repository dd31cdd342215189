import type { Db, Transaction } from '../../platform/db.ts'
import { BATCH } from '../../stores/applications.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as erasures from '../../stores/erasures.ts'
import * as jobs from '../../stores/jobs.ts'
import type { Actor } from '../actor.ts'
import { entity, onApplication } from './on-application.ts'

/** Deletes the application for good, and what is still to be sent for it. @throws AppError `not_found` */
export async function deleteApplication(
  db: Db,
  id: number,
  { actor, personKey }: Actor & { personKey: Buffer },
): Promise<void> {
  await onApplication(db, id, async (trx) => {
    await eraseApplication(trx, id, { reason: 'deleted', personKey })
    await auditLog.record(trx, { actor, action: 'delete', entity, entityId: id })
  })
}

/** Deletes an application for good, with its jobs; the evidence of consent stays. The caller holds its lock. */
export async function eraseApplication(trx: Transaction, id: number, erasing: erasures.Erasing): Promise<void> {
  await jobs.remove(trx, { applicationId: id })
  const columns = ['id', 'reference', 'created_at', 'email', 'phone'] as const
  const [row] = await trx('provider_applications').where({ id }).delete().returning(columns)
  if (row) await erasures.record(trx, 'application', row, erasing)
}

/** Queries the applications that came in more than `days` ago. */
const expired = (db: Db, days: number) =>
  db('provider_applications').whereRaw(`created_at <= now() - ? * interval '24 hours'`, [days])

/** Deletes for good the applications that came in more than `days` ago. Returns how many, up to 500 at once. */
export async function purgeExpiredApplications(db: Db, days: number, personKey: Buffer): Promise<number> {
  if (days === Infinity) return 0
  return db.transaction(async (trx) => {
    const ids: number[] = await expired(trx, days).orderBy('id').limit(BATCH).forUpdate().skipLocked().pluck('id')
    for (const id of ids) {
      await eraseApplication(trx, id, { reason: 'retention', personKey })
      const details = { reason: 'retention' }
      await auditLog.record(trx, { actor: 'system', action: 'purge', entity: 'application', entityId: id, details })
    }
    return ids.length
  })
}
