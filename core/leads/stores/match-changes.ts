import { UNDO_SECONDS } from '../../contract/undo.ts'
import * as jobs from '../../deliveries/stores/jobs.ts'
import type { Transaction } from '../../platform/db.ts'
import { MAX_IDS } from '../../staff/contract/bulk.ts'
import { SECOND } from '../../time.ts'
import type { Lead } from '../contract/leads.ts'
import * as answerClocks from './answer-clocks.ts'
import { skippedColumn } from './leads.ts'

/**
 * The time in which a match can be undone, with a margin for a click at the last moment. In milliseconds, as all times
 * here.
 */
const UNDO_DELAY = UNDO_SECONDS * SECOND + 2 * SECOND
/** The time that matching one of many leads may take, with a wide margin. */
const MAX_MATCH_DURATION = 50

/**
 * Returns how long the deliveries of a match by staff wait. Several leads are undone together, after the last one is
 * matched.
 */
export function undoDelay(leads = 1): number {
  return UNDO_DELAY + (Math.min(leads, MAX_IDS) - 1) * MAX_MATCH_DURATION
}

const MATCH_COLUMNS = [
  ...(['provider_id', 'matched_at', 'match_kind', 'match_distance_miles', 'held_reason'] as const),
  ...(['match_skipped', 'outcome', 'outcome_at'] as const),
]

/**
 * Records what a match changed, so that it can be undone. `clock` is the one before the match. The caller holds the lead's
 * lock.
 */
export async function record(
  trx: Transaction,
  before: Lead,
  { added, replaced, clock }: jobs.JobChanges & { clock: answerClocks.KeptClock },
): Promise<void> {
  const columns = Object.fromEntries(MATCH_COLUMNS.map((column) => [column, before[column]]))
  await trx('match_changes').insert({
    lead_id: before.id,
    before: JSON.stringify(columns),
    added_jobs: added,
    replaced_jobs: replaced,
    clock: clock && JSON.stringify(clock),
  })
}

/**
 * Undoes the newest match of a lead by staff, with its deliveries. The caller holds the lock of the lead.
 * @returns false when there is nothing to undo, or a delivery was started
 */
export async function undo(trx: Transaction, leadId: number): Promise<boolean> {
  const change = await trx('match_changes').where({ lead_id: leadId }).orderBy('id', 'desc').first()
  if (!change) return false
  const { id, before, added_jobs: added, replaced_jobs: replaced, clock } = change
  if (!(await jobs.undo(trx, `lead:${leadId}`, { added, replaced }))) return false

  const match_skipped = skippedColumn(before.match_skipped)
  await trx('leads')
    .where('id', leadId)
    .update({ ...before, match_skipped })
  await answerClocks.putBack(trx, leadId, clock)
  await trx('match_changes').where({ id }).delete()
  return true
}
