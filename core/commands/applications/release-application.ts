import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as applications from '../../stores/applications.ts'
import * as auditLog from '../../stores/audit-log.ts'
import type { Actor } from '../actor.ts'
import { allowContact } from '../opt-outs/allow-contact.ts'
import { ASKED_TO_STOP } from '../opt-outs/stop-contact.ts'
import { entity, onApplication } from './on-application.ts'

/**
 * Ends the hold of an application, and e-mails the applicant and the team as for a new one. Lifts the applicant's wish not to
 * be contacted where that was the reason.
 * @param liftKey of the purpose `person-hash`; only when staff lift the wish
 * @throws AppError `not_found`, `conflict` when the application is not held, or without `liftKey` for such a wish
 */
export async function releaseApplication(
  db: Db,
  id: number,
  { actor, liftKey }: Actor & { liftKey?: Buffer },
): Promise<void> {
  await onApplication(db, id, async (trx, application) => {
    const { held_reason } = application
    if (held_reason === null) {
      throw new AppError('conflict', 'This application is not held. There is nothing to release.')
    }
    if (held_reason === 'do_not_contact') {
      if (!liftKey) throw new AppError('conflict', ASKED_TO_STOP)
      await allowContact(trx, application, { actor, because: 'The new application was released.' }, liftKey)
    }
    await applications.release(trx, id)
    await auditLog.record(trx, { actor, action: 'release', entity, entityId: id, details: { reason: held_reason } })
  })
}
