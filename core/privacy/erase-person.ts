import { eraseApplication } from '../applications/applications.ts'
import * as applications from '../applications/stores/applications.ts'
import * as changes from '../deliveries/stores/changes.ts'
import { AppError } from '../errors.ts'
import { eraseLead } from '../leads/purge-leads.ts'
import { lock } from '../leads/stores/lead-changes.ts'
import { contactOf, findForms, findRow } from '../leads/stores/persons.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { ErasureKind, FormId } from './contract/privacy.ts'
import * as consents from './stores/consents.ts'
import * as erasures from './stores/erasures.ts'

/**
 * Deletes forms of a person for good, in one transaction. Adds jobs that ask CRM and clinics to delete them as
 * well. Removes IP address and browser from the evidence of consent.
 * @param forms the forms of the person that were shown
 * @returns the number of the erasure
 * @throws AppError `conflict` when one of the forms is not, or no longer, of this person
 */
export async function erasePerson(
  db: Db,
  { contact, forms }: { contact: string; forms: FormId[] },
  { actor, personKey }: { actor: string; personKey: Buffer },
): Promise<number> {
  return db.transaction(async (trx) => {
    const found = new Set((await findForms(trx, contactOf(contact))).map(keyOf))
    if (!forms.every((form) => found.has(keyOf(form)))) {
      throw new AppError('conflict', 'These requests have changed meanwhile. Search again.')
    }
    const requestId = await erasures.addRequest(trx, actor)
    for (const { kind, id } of inOrder(forms)) {
      await eraseForm(trx, { kind, id }, { reason: 'request', personKey, requestId })
      await auditLog.record(trx, {
        actor,
        action: 'erase',
        entity: kind,
        entityId: id,
        details: { request: requestId },
      })
    }
    await consents.blank(trx, Infinity)
    await changes.announce(trx, { leads: idsOf(forms, 'lead'), applications: idsOf(forms, 'application') })
    return requestId
  })
}

/** Deletes a form for good, whether a lead, a deleted lead or an application. */
export async function eraseForm(trx: Transaction, { kind, id }: FormId, erasing: erasures.Erasing): Promise<void> {
  if (kind === 'application') {
    if (await applications.lock(trx, id)) await eraseApplication(trx, id, erasing)
  } else if (await lock(trx, id)) {
    await eraseLead(trx, id, erasing)
  }
}

/** Every transaction locks leads in the order of their ids: two never wait for each other. */
const inOrder = (forms: FormId[]) => forms.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true }))

const keyOf = ({ kind, id }: FormId) => `${kind} ${id}`

const idsOf = (forms: FormId[], kind: ErasureKind) => forms.flatMap((form) => (form.kind === kind ? form.id : []))

/**
 * Deletes again the erased forms that a restored backup has brought back. A form is the same when its kind, its number and
 * its receipt (without a receipt: its time) are.
 * @returns how many were deleted
 */
export async function reapplyErasures(db: Db, erased: erasures.Tombstone[], personKey: Buffer): Promise<number> {
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
