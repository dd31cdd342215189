import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import * as leads from '../leads/stores/leads.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { type Contact, personHashes } from './rules/person-hash.ts'
import { lockLeadsOf } from './stop-contact.ts'
import * as clinicOptOuts from './stores/clinic-opt-outs.ts'
import * as suppressions from './stores/suppressions.ts'

/** Allows contact with the person of a lead again. @throws AppError `not_found`, `conflict` when it is allowed */
export async function allowContactOfLead(
  db: Db,
  id: number,
  { actor, because }: { actor: string; because: string },
  key: Buffer,
): Promise<void> {
  await db.transaction(async (trx) => {
    const lead = await leads.find(trx, id)
    if (!lead) throw leads.noSuchLead()
    if (!(await allowContact(trx, lead, { actor, because }, key))) throw notSuppressed()
    await auditLog.record(trx, { actor, action: 'lift-opt-out', entity: 'lead', entityId: id })
  })
}

/** Allows contact at one address or number again. @throws AppError `not_found`, `conflict` when it is allowed */
export async function allowContactAt(
  db: Db,
  id: number,
  { actor, because }: { actor: string; because: string },
): Promise<void> {
  await db.transaction(async (trx) => {
    const [lifted] = await suppressions.lift(trx, { id }, { actor, because })
    if (!lifted && !(await trx('suppressions').where({ id }).first('id'))) throw noSuchRow()
    if (!lifted) throw notSuppressed()
    const leadId = lifted.lead_id
    const isLast = !(await trx('suppressions')
      .where({ lead_id: leadId, ...suppressions.ACTIVE })
      .first('id'))
    if (leadId !== null && isLast && (await leads.lock(trx, leadId))) await withdraw(trx, [leadId])
    await auditLog.record(trx, { actor, action: 'lift-opt-out', entity: 'suppression', entityId: id })
    await changes.announce(trx, { leads: leadId === null ? [] : [leadId] })
  })
}

/** Allows contact with a person again, as part of another use case. Returns false when it is allowed. */
export async function allowContact(
  trx: Transaction,
  person: Contact,
  { actor, because }: { actor: string; because: string },
  key: Buffer,
): Promise<boolean> {
  const hashes = personHashes(key, person)
  const found = await lockLeadsOf(trx, hashes, person, key)
  const lifted = await suppressions.lift(trx, { hashes }, { actor, because })
  // A lead of the same person may name another address that is on the list.
  const still = await suppressions.among(trx, key, found)
  const leadIds = found.filter((lead) => !still.has(lead)).map(({ id }) => id)
  if (lifted.length > 0) await withdraw(trx, leadIds)
  await changes.announce(trx, { leads: leadIds })
  return lifted.length > 0
}

/** Withdraws what clinics were asked to confirm for these leads, and cancels notices that are not sent yet. */
async function withdraw(trx: Transaction, leadIds: number[]): Promise<void> {
  await clinicOptOuts.withdraw(trx, leadIds)
  for (const leadId of leadIds) {
    await jobs.cancelOpen(trx, `lead:${leadId}`, 'This person may be contacted again.', ['opted_out'])
  }
}

const noSuchRow = () => new AppError('not_found', 'There is no such address or number on the list.')

const notSuppressed = () => new AppError('conflict', 'This person may be contacted already. There is nothing to lift.')

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
