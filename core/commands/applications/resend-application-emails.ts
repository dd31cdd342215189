import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import { applicationEmailsToResend } from '../../rules/deliveries.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as jobs from '../../stores/jobs.ts'
import type { Actor } from '../actor.ts'
import { entity, onApplication } from './on-application.ts'

/**
 * Sends the application's e-mails again. Returns the ids of the new jobs.
 * @throws AppError `not_found`, `conflict` when it is held
 */
export async function resendApplicationEmails(db: Db, id: number, { actor }: Actor): Promise<string[]> {
  return onApplication(db, id, async (trx, { held_reason }) => {
    if (held_reason !== null) throw new AppError('conflict', 'This application is held. Release it first.')

    const owner = { applicationId: id }
    const { added } = await jobs.add(trx, owner, applicationEmailsToResend(await jobs.listLatest(trx, owner)))
    await auditLog.record(trx, { actor, action: 'retry-email', entity, entityId: id })
    return added
  })
}
