import type { Transaction } from '../platform/db.ts'
import { JOBS_CHANNEL, OPEN } from '../stores/jobs.ts'
import { listInReach } from '../stores/providers.ts'

/** Which leads a sync may match by itself. */
export type WaitingRules = { radiusMiles: number; waitingDays: number }

/**
 * Matches again, because of a run of the sync, the leads that wait for a provider and have not been looked at since the
 * last one was added, moved or made active, those left out that are held or came before `since`. What is still open of an
 * older try is cancelled: it may have looked at the providers already.
 * @returns the ids of the leads
 */
export async function matchWaiting(trx: Transaction, syncId: number, since: Date): Promise<number[]> {
  const placed = `(select coalesce(max(placed_at), '-infinity') from providers where status = 't')`
  const leads: number[] = await trx('leads')
    .whereNull('provider_id')
    .whereNull('held_reason')
    .where('created_at', '>=', since)
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

/**
 * The leads from before that moment that still wait for a provider and have one within the radius, in miles. Their
 * senders no longer expect a call, so staff decide.
 */
export async function listOld(trx: Transaction, before: Date, radiusMiles: number): Promise<number[]> {
  const waiting: { zip: string; ids: number[] }[] = await trx('leads')
    .select('zip_code as zip', trx.raw('array_agg(id) as ids'))
    .whereNull('provider_id')
    .whereNull('held_reason')
    .where('created_at', '<', before)
    .whereRaw(
      `not exists (select from jobs where lead_id = leads.id and name = 'match-lead' and state in ('waiting', 'enqueued'))`,
    )
    .groupBy('zip_code')
  const inReach = await listInReach(
    trx,
    waiting.map(({ zip }) => zip),
    radiusMiles,
  )
  return waiting.flatMap(({ zip, ids }) => (inReach.has(zip) ? ids : [])).toSorted((a, b) => a - b)
}
