import type { LeadField } from '../../contract/lead-form.ts'
import type { LedgerEdit } from '../../deliveries/contract/jobs.ts'
import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'

export type Edit = { field: LeadField; was: string; became: string }

/** Records what an act has changed in a lead. The caller records the act in the audit log. */
export async function add(trx: Transaction, leadId: number, edits: Edit[], actor: string): Promise<void> {
  await trx('lead_edits').insert(edits.map((edit) => ({ ...edit, lead_id: leadId, actor })))
}

/** Lists what staff have changed in a lead, the oldest first. The lead may be deleted. */
export async function list(db: Db, leadId: number): Promise<LedgerEdit[]> {
  type Found = RowWith<'lead_edits', 'field' | 'was' | 'became' | 'actor' | 'at', Pick<LedgerEdit, 'actor_name'>>
  const rows = await queryRows<Found>(
    db,
    `select field, was, became, actor, at,
       (select name from staff_accounts where lower(email) = lower(actor)) as actor_name
     from lead_edits where lead_id = ? order by id`,
    [leadId],
  )
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

/** Finds the phone number that the clinic of a lead got first, if it was corrected since. */
export async function findFormerPhone(
  db: Db,
  { id, matched_at, phone }: { id: number; matched_at: string | null; phone: string },
): Promise<string | null> {
  const first = await db('lead_edits')
    .where({ lead_id: id, field: 'phone' })
    .where('at', '>=', matched_at ?? 'infinity')
    .orderBy('id')
    .first('was')
  return first && first.was !== phone ? first.was : null
}

/** Lists those of the leads that the CRM knows by an id and whose e-mail was changed, with the earlier ones in lower case. */
export async function listRenamed(
  db: Db,
  leadIds: number[],
): Promise<{ leadId: number; crmId: string; former: string[] }[]> {
  return queryRows(
    db,
    `select lead_id as "leadId", crm_external_id as "crmId", array_agg(distinct lower(was)) as former
     from lead_edits join leads on leads.id = lead_id
     where lead_id = any(?::integer[]) and field = 'email' and crm_external_id is not null group by 1, 2`,
    [leadIds],
  )
}

/** Deletes the edits of a lead that is deleted for good. */
export async function remove(trx: Transaction, leadId: number): Promise<void> {
  await trx('lead_edits').where({ lead_id: leadId }).delete()
}
