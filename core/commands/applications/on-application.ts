import type { Application } from '../../contract/applications.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import * as applications from '../../stores/applications.ts'
import * as changes from '../../stores/changes.ts'

/** In the audit log. */
export const entity = 'application'

/** Runs a use case on one application: in a transaction that holds its lock, and announces the change. @throws AppError `not_found` */
export async function onApplication<Result>(
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
