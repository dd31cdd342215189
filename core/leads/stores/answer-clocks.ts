import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import type { Changes, Row, RowWith } from '../../tables/table.ts'
import type { AnswerClock } from '../contract/outcomes.ts'

/**
 * The table `answer_clocks` has a row for each lead that a clinic has to answer. `storeLead` adds it with a matched lead.
 * The caller of the functions that change it holds the lock of the lead.
 */

/**
 * Starts the time of a clinic, from now. `null`: no clinic has the lead any more, and nothing is left to do. A test lead has no
 * clock, because its clinic does not know of it.
 */
export async function restart(trx: Transaction, leadId: number, providerId: number | null): Promise<void> {
  const isTest = (await trx('leads').where('id', leadId).first('is_test'))?.is_test
  if (providerId === null || isTest) {
    await trx('answer_clocks').where('lead_id', leadId).delete()
    return
  }
  const fresh = { provider_id: providerId, started_at: trx.fn.now(), step: 'start' as const, step_at: trx.fn.now() }
  const unset = { due_at: null, offer_at: null, answered_at: null, ask_visitor_at: null, is_stale: false }
  await trx('answer_clocks')
    .insert({ lead_id: leadId, ...fresh, ...unset })
    .onConflict('lead_id')
    .merge()
}

/** Records the first answer, now or `at` an earlier time (ISO 8601), and ends the steps that wait for one. */
export async function stop(trx: Transaction, leadId: number, at?: string): Promise<void> {
  await trx('answer_clocks')
    .where('lead_id', leadId)
    .update({ answered_at: trx.raw('coalesce(answered_at, ?::timestamptz, now())', [at ?? null]), step_at: null })
}

/** A clock as it was, for `putBack`. */
export type KeptClock = { [Column in keyof Row<'answer_clocks'>]: unknown } | null

/** Reads the clock of a lead, to put it back later. Returns null when it has none. */
export async function keep(trx: Transaction, leadId: number): Promise<KeptClock> {
  const [row] = await queryRows<{ clock: KeptClock }>(
    trx,
    'select to_jsonb(answer_clocks) as clock from answer_clocks where lead_id = ?',
    [leadId],
  )
  return row?.clock ?? null
}

/** Makes the clock of a lead what it was. Its times are worked out again, because hours may have changed meanwhile. */
export async function putBack(trx: Transaction, leadId: number, clock: KeptClock): Promise<void> {
  await trx('answer_clocks').where('lead_id', leadId).delete()
  if (clock === null) return
  await trx.raw('insert into answer_clocks select (jsonb_populate_record(null::answer_clocks, ?)).*', [
    JSON.stringify({ ...clock, is_stale: clock.answered_at === null }),
  ])
}

/**
 * Has the open clocks worked out again by a worker, before their next step: of clinics whose hours, time zone or place staff or a sync
 * changed, or of all. Deadlines that have passed stay (`advanceClocks`).
 */
export async function markStale(trx: Transaction, providerIds?: number[]): Promise<void> {
  await trx('answer_clocks')
    .where('is_stale', false)
    .modify((clocks) => providerIds && void clocks.whereRaw('provider_id = any(?)', [providerIds]))
    .whereRaw('(answered_at is null or ask_visitor_at is not null)')
    .update({ is_stale: true })
}

/**
 * Lists leads whose clock must be worked out, or has a step or the question to the visitor due. Skips held and deleted
 * leads: a deleted one goes on when it is restored.
 */
export async function listDue(db: Db, limit: number): Promise<number[]> {
  const rows = await queryRows<RowWith<'answer_clocks', 'lead_id'>>(
    db,
    `select lead_id from answer_clocks join leads on leads.id = lead_id
     where held_reason is null and (is_stale or step_at <= now() or ask_visitor_at <= now())
     order by is_stale desc, coalesce(step_at, ask_visitor_at), lead_id limit ?`,
    [limit],
    { name: 'list-due-clocks' },
  )
  return rows.map(({ lead_id }) => lead_id)
}

/** A clock with the time of the database, which decides what is due. */
export type TickingClock = Row<'answer_clocks'> & { now: Date }

/** Reads the clock of a lead. The caller holds the lock of the lead. */
export async function read(trx: Transaction, leadId: number): Promise<TickingClock | null> {
  const [row] = await queryRows<TickingClock>(
    trx,
    'select answer_clocks.*, now() from answer_clocks where lead_id = ? for update',
    [leadId],
  )
  return row ?? null
}

/** Writes times and steps. The caller holds the lock of the lead. */
export async function write(trx: Transaction, leadId: number, columns: Changes<'answer_clocks'>): Promise<void> {
  await trx('answer_clocks').where('lead_id', leadId).update(columns)
}

/** Finds the clocks of leads, by lead. */
export async function findMany(db: Db, leadIds: number[]): Promise<Map<number, AnswerClock>> {
  const rows = await queryRows<RowWith<'answer_clocks', 'lead_id' | 'started_at' | 'due_at' | 'answered_at'>>(
    db,
    'select lead_id, started_at, due_at, answered_at from answer_clocks where lead_id = any(?::integer[])',
    [leadIds],
    { name: 'find-answer-clocks' },
  )
  return new Map(
    rows.map(({ lead_id, started_at, due_at, answered_at }) => [
      lead_id,
      {
        started_at: started_at.toISOString(),
        due_at: due_at?.toISOString() ?? null,
        answered_at: answered_at?.toISOString() ?? null,
      },
    ]),
  )
}
