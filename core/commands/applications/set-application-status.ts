import type { Application, ApplicationStatus } from '../../contract/applications.ts'
import type { Db } from '../../platform/db.ts'
import * as applications from '../../stores/applications.ts'
import * as auditLog from '../../stores/audit-log.ts'
import type { Actor } from '../actor.ts'
import { entity, onApplication } from './on-application.ts'

/** Sets how far the application is. Idempotent. @throws AppError `not_found` */
export async function setApplicationStatus(
  db: Db,
  id: number,
  status: ApplicationStatus,
  { actor }: Actor,
): Promise<Application> {
  return onApplication(db, id, async (trx, application) => {
    if (application.status === status) return application

    await applications.setStatus(trx, id, status)
    const details = { from: application.status, to: status }
    await auditLog.record(trx, { actor, action: 'set-status', entity, entityId: id, details })
    return { ...application, status }
  })
}
