import type { Application, ApplicationStatus } from '../contract/applications.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { applicationEmailsToResend } from '../rules/deliveries.ts'
import * as applications from '../stores/applications.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as changes from '../stores/changes.ts'
import * as jobs from '../stores/jobs.ts'
import * as optOuts from './opt-outs.ts'

/** What staff do to an application. Each is one transaction: the act, the jobs it causes, and its line in the audit log. */
type Actor = { actor: string }

const entity = 'application'

/** Says how far the application is. Doing it twice does it once. @throws AppError `not_found` */
export async function setStatus(db: Db, id: number, status: ApplicationStatus, { actor }: Actor): Promise<Application> {
  return onApplication(db, id, async (trx, application) => {
    if (application.status === status) return application

    await applications.setStatus(trx, id, status)
    const details = { from: application.status, to: status }
    await auditLog.record(trx, { actor, action: 'set-status', entity, entityId: id, details })
    return { ...application, status }
  })
}

/**
 * Sends the application's e-mails again. Returns the ids of the new jobs.
 * @throws AppError `not_found`, `conflict` when it is held
 */
export async function resendEmail(db: Db, id: number, { actor }: Actor): Promise<string[]> {
  return onApplication(db, id, async (trx, { held_reason }) => {
    if (held_reason !== null) throw new AppError('conflict', 'This application is held. Release it first.')

    const owner = { applicationId: id }
    const { added } = await jobs.add(trx, owner, applicationEmailsToResend(await jobs.listLatest(trx, owner)))
    await auditLog.record(trx, { actor, action: 'retry-email', entity, entityId: id })
    return added
  })
}

/**
 * Confirms a held application to the applicant as if it had just come in. Where it was held because that person asked not to
 * be contacted, that wish is lifted.
 * @param liftKey of the purpose `person-hash`; left out where staff have not said that they lift the wish
 * @throws AppError `not_found`, `conflict` when the application is not held, or the wish is not to be lifted
 */
export async function release(db: Db, id: number, { actor, liftKey }: Actor & { liftKey?: Buffer }): Promise<void> {
  await onApplication(db, id, async (trx, application) => {
    const { held_reason } = application
    if (held_reason === null) {
      throw new AppError('conflict', 'This application is not held. There is nothing to release.')
    }
    if (held_reason === 'do_not_contact') {
      if (!liftKey) throw new AppError('conflict', optOuts.ASKED_TO_STOP)
      await optOuts.liftFor(trx, application, { actor, because: 'The new application was released.' }, liftKey)
    }
    await applications.release(trx, id)
    await auditLog.record(trx, { actor, action: 'release', entity, entityId: id, details: { reason: held_reason } })
  })
}

/** Deletes the application for good, and what is still to be sent for it. @throws AppError `not_found` */
export async function remove(db: Db, id: number, { actor, personKey }: Actor & { personKey: Buffer }): Promise<void> {
  await onApplication(db, id, async (trx) => {
    await applications.remove(trx, id, { reason: 'deleted', personKey })
    await auditLog.record(trx, { actor, action: 'delete', entity, entityId: id })
  })
}

async function onApplication<Result>(
  db: Db,
  id: number,
  act: (trx: Transaction, application: Application) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (trx) => {
    const application = await applications.lock(trx, id)
    if (!application) throw applications.notFound()
    const result = await act(trx, application)
    await changes.announce(trx, { applications: [id] })
    return result
  })
}
