import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import type { LeadOutcome, NewAnswer, OutcomeKind, OutcomeSource } from '../contract/outcomes.ts'

/**
 * An outcome to record. `eventId` is that of the CRM's message, and `happenedAt` the time that it states (ISO 8601). Without
 * it the outcome happens now.
 */
export type NewOutcome = Omit<NewAnswer, 'kind'> & {
  kind: OutcomeKind
  source: OutcomeSource
  /** As in the audit log. */
  actor: string
  eventId?: string
  happenedAt?: string
}

/** Adds an outcome of a lead. Returns false when the message with that event id was recorded before. */
export async function add(
  trx: Transaction,
  lead: { id: number; provider_id: number | null },
  { kind, reason, booked_for, value_cents, note, source, actor, eventId, happenedAt }: NewOutcome,
): Promise<boolean> {
  const added = await trx('lead_outcomes')
    .insert({
      ...{ lead_id: lead.id, provider_id: lead.provider_id, kind, source, actor },
      reason: reason ?? null,
      booked_for: booked_for ?? null,
      value_cents: value_cents ?? null,
      note: note ?? null,
      event_id: eventId ?? null,
      happened_at: happenedAt ?? trx.fn.now(),
    })
    .onConflict('event_id')
    .ignore()
    .returning('id')
  return added.length > 0
}

const COLUMNS = `lead_outcomes.id, lead_id, kind, reason, value_cents, booked_for::text, note, source, actor,
  staff_accounts.name as actor_name, providers.name as clinic, at, happened_at`
const SOURCE = `lead_outcomes
  left join staff_accounts on source = 'staff' and lower(staff_accounts.email) = lower(actor)
  left join providers on providers.id = lead_outcomes.provider_id`
type Found = RowWith<
  'lead_outcomes',
  'id' | 'lead_id' | 'kind' | 'value_cents' | 'note' | 'source' | 'actor' | 'at' | 'happened_at',
  Pick<LeadOutcome, 'reason' | 'booked_for' | 'actor_name' | 'clinic'>
>

const present = ({ lead_id: _, at, happened_at, ...row }: Found): LeadOutcome => ({
  ...row,
  at: at.toISOString(),
  happened_at: happened_at.toISOString(),
})

/** Lists the outcomes of a lead, in the order in which they were recorded. */
export async function list(db: Db, leadId: number): Promise<LeadOutcome[]> {
  const sql = `select ${COLUMNS} from ${SOURCE} where lead_id = ? order by lead_outcomes.id`
  return (await queryRows<Found>(db, sql, [leadId])).map(present)
}

/** SQL that finds the row of the current outcome of `leads`, among rows of `lead_outcomes`. */
export const IS_CURRENT =
  'lead_outcomes.lead_id = leads.id and lead_outcomes.kind = leads.outcome and lead_outcomes.happened_at = leads.outcome_at'

/** Finds the current outcomes of leads, by lead. */
export async function findCurrent(db: Db, leadIds: number[]): Promise<Map<number, LeadOutcome>> {
  const rows = await queryRows<Found>(
    db,
    `select distinct on (lead_id) ${COLUMNS} from ${SOURCE} join leads on ${IS_CURRENT}
     where leads.id = any(?::integer[]) order by lead_id, lead_outcomes.id desc`,
    [leadIds],
    { name: 'find-current-outcomes' },
  )
  return new Map(rows.map((row) => [row.lead_id, present(row)]))
}

/** Returns those of the CRM's events that are recorded. */
export async function findEvents(db: Db, eventIds: string[]): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set()
  const sql = 'select event_id from lead_outcomes where event_id = any(?::text[])'
  const rows = await queryRows<{ event_id: string }>(db, sql, [eventIds])
  return new Set(rows.map(({ event_id }) => event_id))
}

/** Deletes the outcomes of a lead that is deleted permanently. The caller deletes the lead. */
export async function remove(trx: Transaction, leadId: number): Promise<void> {
  await trx.raw('select purge_lead_outcomes(?)', [leadId])
}
