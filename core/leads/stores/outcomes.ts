import { MINUTE, SECOND } from '../../contract/time.ts'
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

/*
 * How far the outcomes that a CRM is asked for, and the replies in the mailbox, have been read, by the name of the source. Times in `changed_since` and
 * `pass_began_at` are those of the CRM's clock.
 */

export const INBOX = 'inbox'

/** The time from the end of a pass to the next one. */
const READ_INTERVAL = MINUTE
/** The time after which another worker reads on, unless the cursor is renewed. */
const LEASE = 20 * SECOND
/** How often the worker that reads renews its cursor. */
export const HEARTBEAT_INTERVAL = 5 * SECOND
/** A shorter failure is no news for staff. */
export const MIN_FAILURE_SHOWN = 15 * MINUTE

/** A cursor that a worker has claimed: the changes since a time, of the records with greater ids than `afterId`. */
export type CrmCursor = {
  source: string
  attempt: number
  since: Date
  afterId: string | null
  failures: number
}

const CURSOR = 'source, attempt, changed_since as since, after_id as "afterId", failures'

/**
 * Claims a cursor that is due. The first claim of all begins at the present. Returns null when another worker reads, or the
 * next pass is not due yet.
 */
export async function claimCursor(db: Db, source: string): Promise<CrmCursor | null> {
  const [cursor] = await queryRows<CrmCursor>(
    db,
    `insert into crm_cursors (source, due_at) values (:source, now() + :lease * interval '1 ms')
     on conflict (source) do update set attempt = crm_cursors.attempt + 1, due_at = excluded.due_at
       where crm_cursors.due_at <= now()
     returning ${CURSOR}`,
    { source, lease: LEASE },
  )
  return cursor ?? null
}

/** Keeps a claimed cursor. Returns false when another worker has it. */
export async function renewCursor(db: Db, cursor: CrmCursor): Promise<boolean> {
  return (await ofClaim(db, cursor).update({ due_at: after(db, LEASE) })) > 0
}

/**
 * Records that the changes of a page are recorded, and ends a failure.
 * @param page `readAt` is the time by the CRM's clock; `lastId` is null where no page follows, which ends the pass
 * @returns the cursor of the next page, or null when another worker has taken over
 */
export async function advanceCursor(
  db: Db,
  { source, attempt }: CrmCursor,
  { readAt, lastId }: { readAt: Date; lastId: string | null },
): Promise<CrmCursor | null> {
  // What changed during the pass is found by the next one.
  const place =
    lastId === null
      ? `changed_since = coalesce(pass_began_at, :readAt), pass_began_at = null, after_id = null`
      : `pass_began_at = coalesce(pass_began_at, :readAt), after_id = :lastId`
  const [next] = await queryRows<CrmCursor>(
    db,
    `update crm_cursors set ${place}, due_at = now() + :wait * interval '1 ms',
       failing_since = null, failures = 0, error = null
     where source = :source and attempt = :attempt returning ${CURSOR}`,
    { source, attempt, readAt, lastId, wait: lastId === null ? READ_INTERVAL : LEASE },
  )
  return next ?? null
}

/** Records a failure. The next attempt is due after `wait` milliseconds. Returns since when it has failed. */
export async function failCursor(
  db: Db,
  { source, attempt }: CrmCursor,
  { error, wait }: { error: string; wait: number },
): Promise<Date | undefined> {
  const [row] = await queryRows<{ since: Date }>(
    db,
    `update crm_cursors set due_at = now() + :wait * interval '1 ms', failures = failures + 1,
       failing_since = coalesce(failing_since, now()), error = :error
     where source = :source and attempt = :attempt returning failing_since as since`,
    { source, attempt, error, wait },
  )
  return row?.since
}

/** Lets another worker read on at once. */
export async function handBackCursor(db: Db, cursor: CrmCursor): Promise<void> {
  await ofClaim(db, cursor).update({ due_at: db.fn.now() })
}

/** Ends the failures of all sources but these, which are no longer read. */
export async function forgetOtherCursors(db: Db, sources: string[]): Promise<void> {
  await db('crm_cursors')
    .whereNotIn('source', sources)
    .whereNotNull('failing_since')
    .update({ failing_since: null, failures: 0, error: null })
}

/** Lists the failures that have lasted for long: of what, since when, and why. */
export async function listReadFailures(db: Db): Promise<{ source: string; since: string; error: string }[]> {
  const rows = await queryRows<{ source: string; since: Date; error: string }>(
    db,
    `select source, failing_since as since, error from crm_cursors
     where failing_since < now() - ? * interval '1 ms' order by failing_since`,
    [MIN_FAILURE_SHOWN],
  )
  return rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() }))
}

const ofClaim = (db: Db, { source, attempt }: CrmCursor) => db('crm_cursors').where({ source, attempt })
const after = (db: Db, ms: number) => db.raw(`now() + ? * interval '1 ms'`, [ms])
