import type { LeadOutcome, NewAnswer, OutcomeKind, OutcomeSource } from '../contract/outcomes.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import type { RowWith } from './table.ts'

/** An outcome to record. `eventId` is that of the CRM's message. */
export type NewOutcome = Omit<NewAnswer, 'kind'> & {
  kind: OutcomeKind
  source: OutcomeSource
  /** As in the audit log. */
  actor: string
  eventId?: string
}

/** Adds an outcome of a lead. Returns false when the message with that event id was recorded before. */
export async function add(
  trx: Transaction,
  lead: { id: number; provider_id: number | null },
  { kind, reason, booked_for, value_cents, note, source, actor, eventId }: NewOutcome,
): Promise<boolean> {
  const added = await trx('lead_outcomes')
    .insert({
      ...{ lead_id: lead.id, provider_id: lead.provider_id, kind, source, actor },
      reason: reason ?? null,
      booked_for: booked_for ?? null,
      value_cents: value_cents ?? null,
      note: note ?? null,
      event_id: eventId ?? null,
    })
    .onConflict('event_id')
    .ignore()
    .returning('id')
  return added.length > 0
}

/** Lists the outcomes of a lead, the oldest first. */
export async function list(db: Db, leadId: number): Promise<LeadOutcome[]> {
  type Found = RowWith<
    'lead_outcomes',
    'id' | 'kind' | 'value_cents' | 'note' | 'source' | 'actor' | 'at',
    Pick<LeadOutcome, 'reason' | 'booked_for' | 'actor_name' | 'clinic'>
  >
  const rows = await queryRows<Found>(
    db,
    `select lead_outcomes.id, kind, reason, value_cents, booked_for::text, note, source, actor,
       staff_accounts.name as actor_name, providers.name as clinic, at
     from lead_outcomes
     left join staff_accounts on source = 'staff' and staff_accounts.email = actor
     left join providers on providers.id = lead_outcomes.provider_id
     where lead_id = ? order by lead_outcomes.id`,
    [leadId],
  )
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

/** Deletes the outcomes of a lead that is deleted for good. The caller deletes the lead. */
export async function remove(trx: Transaction, leadId: number): Promise<void> {
  await trx.raw('select purge_lead_outcomes(?)', [leadId])
}
