import type { Transaction } from '../db.ts'
import { JOBS_CHANNEL, OPEN } from './jobs.ts'

/**
 * Matches again, because of a run of the sync, the leads that wait for a provider and have not been looked at since the
 * last one was added, moved or made active, those that are held left out. What is still open of an older try is
 * cancelled: it may have looked at the providers already.
 * @returns the ids of the leads
 */
export async function matchWaiting(trx: Transaction, syncId: number): Promise<number[]> {
  const placed = `(select coalesce(max(placed_at), '-infinity') from providers where status = 't')`
  const leads: number[] = await trx('leads')
    .whereNull('provider_id')
    .whereNull('held_reason')
    // A provider counts from the beginning of its transaction, which may have ended a little later. What a run adds is
    // there for the tries that the same run makes.
    .whereRaw(`not exists (
      select from jobs where lead_id = leads.id and name = 'match-lead' and state <> 'cancelled'
        and (created_at > ${placed} + interval '1 minute' or (sync_id is not null and created_at >= ${placed})))`)
    .orderBy('id')
    .forUpdate()
    .pluck('id')
  if (leads.length === 0) return []

  await trx('jobs')
    .whereRaw('lead_id = any(?)', [leads as never])
    .where('name', 'match-lead')
    .whereIn('state', OPEN)
    .update({ state: 'cancelled', finished_at: trx.fn.now(), last_error: 'Replaced by a newer attempt.' })
  await trx.raw(
    `insert into jobs (name, purpose, lead_id, generation, sync_id)
     select 'match-lead', 'nearest', lead, 1 + coalesce(
       (select max(generation) from jobs where lead_id = lead and name = 'match-lead' and purpose = 'nearest'), 0), ?
     from unnest(?::integer[]) lead`,
    [syncId, leads],
  )
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
  return leads
}
