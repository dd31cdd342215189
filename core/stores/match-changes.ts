import type { Lead } from '../contract/leads.ts'
import { UNDO_SECONDS } from '../contract/undo.ts'
import type { Transaction } from '../db.ts'
import { SECOND } from '../time.ts'
import * as jobs from './jobs.ts'

/**
 * How long, in milliseconds, the deliveries of a match by staff wait: longer than the undo is offered, for a click at the
 * last moment.
 */
export const UNDO_DELAY = UNDO_SECONDS * SECOND + 2 * SECOND

const MATCH_COLUMNS = ['provider_id', 'matched_at', 'match_kind', 'match_distance_miles', 'held_reason'] as const

/** Records what a match changed, so that it can be undone. The caller holds the lead's lock. */
export async function record(trx: Transaction, before: Lead, { added, replaced }: jobs.JobChanges): Promise<void> {
  const columns = Object.fromEntries(MATCH_COLUMNS.map((column) => [column, before[column]]))
  // Nothing can be undone any more once its deliveries are on their way.
  await trx('match_changes').whereRaw(`changed_at < now() - interval '1 day'`).delete()
  await trx('match_changes').insert({
    lead_id: before.id,
    before: JSON.stringify(columns),
    added_jobs: added,
    replaced_jobs: replaced,
  })
}

/**
 * Undoes the newest match of a lead by staff: the lead is matched as before, the deliveries that it caused are removed,
 * and those that it replaced go on. The caller holds the lead's lock.
 * @returns false when there is nothing to undo, or its deliveries are on their way
 */
export async function undo(trx: Transaction, leadId: number): Promise<boolean> {
  const change = await trx('match_changes').where({ lead_id: leadId }).orderBy('id', 'desc').first()
  if (!change || !(await jobs.takeBack(trx, { leadId }, change.added_jobs))) return false

  await trx('leads').where('id', leadId).update(change.before)
  await trx('match_changes').where('id', change.id).delete()
  await jobs.reopen(trx, { leadId }, change.replaced_jobs)
  return true
}
