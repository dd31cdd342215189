import * as changes from '../deliveries/stores/changes.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { Lead } from './contract/leads.ts'
import * as leads from './stores/leads.ts'

/** Refuses to deliver a lead of a person that asked for no contact. */
export const askedToStop = () =>
  new AppError('conflict', 'This person asked not to be contacted. Open the lead and release it there.')

/** Runs a use case on one lead: in a transaction that holds the lead's lock, and announces the change. @throws AppError `not_found` */
export async function onLead<Result>(
  db: Db,
  id: number,
  act: (trx: Transaction, lead: Lead) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (trx) => {
    const lead = await leads.lock(trx, id)
    if (!lead) throw leads.noSuchLead()
    const result = await act(trx, lead)
    await changes.announce(trx, { leads: [id] })
    return result
  })
}
