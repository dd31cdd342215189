import { MAX_PEOPLE } from '../../contract/clinic.ts'
import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import { isSameAddress } from '../../rules/sync-approval.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'
import * as clinicAddresses from '../../stores/clinic-addresses.ts'
import * as clinicPeople from '../../stores/clinic-people.ts'
import * as jobs from '../../stores/jobs.ts'
import * as providers from '../../stores/providers.ts'

/** The clinic, and the address that acts for it. */
type ByClinic = { id: number; email: string }

/**
 * Lets another address sign in to the pages of a clinic, and tells the address in use and that of WordPress. Idempotent.
 * @throws AppError `invalid` beyond `MAX_PEOPLE`
 */
export async function addPerson(db: Db, clinic: ByClinic, email: string): Promise<void> {
  await db.transaction(async (trx) => {
    await providers.lock(trx, clinic.id)
    if (!(await clinicPeople.add(trx, clinic.id, email, clinic.email))) return
    if ((await clinicPeople.count(trx, clinic.id)) > MAX_PEOPLE) {
      const message = `No more than ${MAX_PEOPLE} people can sign in. Remove one first.`
      throw new AppError('invalid', message, { fields: { email: message } })
    }
    const { requests, wordpress } = await clinicAddresses.findInUse(trx, clinic.id)
    const notice = { name: 'send-email', purpose: 'clinic_person' } as const
    await jobs.add(trx, { providerId: clinic.id }, isSameAddress(requests, wordpress) ? [notice] : [notice, notice])
    const details = { by: clinic.email, email }
    await auditLog.record(trx, {
      actor: 'clinic',
      action: 'add-person',
      entity: 'provider',
      entityId: clinic.id,
      details,
    })
    await changes.announce(trx, { providers: [clinic.id] })
  })
}

/** Stops an address from signing in, and ends its sessions. @throws AppError `not_found` */
export async function removePerson(db: Db, clinic: ByClinic, id: number): Promise<void> {
  await db.transaction(async (trx) => {
    const email = await clinicPeople.remove(trx, clinic.id, id, clinic.email)
    if (email === null) throw new AppError('not_found', 'There is no such person. They may have been removed.')
    const details = { by: clinic.email, email }
    await auditLog.record(trx, {
      actor: 'clinic',
      action: 'remove-person',
      entity: 'provider',
      entityId: clinic.id,
      details,
    })
    await changes.announce(trx, { providers: [clinic.id] })
  })
}
