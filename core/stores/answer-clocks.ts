import type { AnswerClock } from '../contract/outcomes.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import type { RowWith } from './table.ts'

/**
 * The table `answer_clocks` has a row for each lead that a clinic has to answer. `submitLeads` adds it with a matched lead.
 * The caller of the functions that change it holds the lock of the lead.
 */

/** Starts the time of a clinic, from now. `null`: no clinic has the lead any more, and nothing is left to do. */
export async function restart(trx: Transaction, leadId: number, providerId: number | null): Promise<void> {
  if (providerId === null) {
    await trx('answer_clocks').where('lead_id', leadId).delete()
    return
  }
  const fresh = { provider_id: providerId, started_at: trx.fn.now(), step: 'start' as const, step_at: trx.fn.now() }
  const unset = { due_at: null, answered_at: null, ask_visitor_at: null }
  await trx('answer_clocks')
    .insert({ lead_id: leadId, ...fresh, ...unset })
    .onConflict('lead_id')
    .merge()
}

/** Records the first answer, and ends the steps that wait for one. */
export async function stop(trx: Transaction, leadId: number): Promise<void> {
  await trx('answer_clocks')
    .where('lead_id', leadId)
    .update({ answered_at: trx.raw('coalesce(answered_at, now())'), step_at: null })
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
