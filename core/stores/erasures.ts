import type { ErasureKind } from '../contract/privacy.ts'
import type { Db, Transaction } from '../db.ts'
import type { ErasureReason } from '../rules/deliveries.ts'
import { type Contact, personHashes } from '../rules/person-hash.ts'

/** Why rows are deleted for good, and the key `person-hash`. `requestId`: of the person's request, where that is the reason. */
export type Erasing = { reason: ErasureReason; personKey: Buffer; requestId?: number }

type ErasedRow = {
  id: number
  reference: string | number | null
  created_at: string | Date
  email: string
  phone: string
  crm_external_id?: string | null
}

/** Notes that a row is deleted for good. The caller deletes it in the same transaction. */
export async function record(
  trx: Transaction,
  kind: ErasureKind,
  row: ErasedRow,
  { reason, personKey, requestId }: Erasing,
): Promise<void> {
  const hashOf = hashesOf(personKey, row)
  await trx('erasures')
    .insert({
      kind,
      row_id: row.id,
      reference: row.reference,
      sent_at: row.created_at,
      reason,
      request_id: requestId ?? null,
      email_hash: hashOf.email ?? null,
      phone_hash: hashOf.phone ?? null,
      crm_id: row.crm_external_id ?? null,
    })
    // Deleted once more, after it came back with a backup.
    .onConflict(['kind', 'row_id'])
    .ignore()
}

function hashesOf(key: Buffer, contact: Contact): Partial<Record<'email' | 'phone', string>> {
  return Object.fromEntries(personHashes(key, contact).map(({ kind, hash }) => [kind, hash]))
}

/** What is left of a lead that was deleted for good: for those who are asked to delete it as well. */
export type ErasedLead = { id: number; sentAt: string; reason: ErasureReason; crmId: string | null }

/** Finds what is left of leads, by their ids. Leads that were deleted before there were erasures are left out. */
export async function findLeads(db: Db, ids: number[]): Promise<Map<number, ErasedLead>> {
  const rows = await db('erasures').where('kind', 'lead').whereIn('row_id', ids)
  return new Map(
    rows.map(({ row_id: id, sent_at, reason, crm_id: crmId }) => [
      id,
      { id, sentAt: sent_at.toISOString(), reason, crmId },
    ]),
  )
}

/** Begins an erasure that a person asked for. Returns its number. */
export async function addRequest(trx: Transaction, actor: string): Promise<number> {
  const [{ id }] = await trx('erasure_requests').insert({ actor }).returning('id')
  return Number(id)
}
