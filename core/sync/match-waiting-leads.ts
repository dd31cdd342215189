import { JOBS_CHANNEL, OPEN } from '../deliveries/stores/jobs.ts'
import { WAITING_DAYS } from '../leads/rules/matching.ts'
import type { Transaction } from '../platform/db.ts'
import { listInReach } from '../providers/stores/providers.ts'
import { DAY } from '../time.ts'

/**
 * Adds a job that matches each lead without a provider again, unless the lead is held, older than `since`, or was tried
 * after the newest change of an active provider. Cancels open jobs of the same kind, which may have read the old providers.
 * @param syncId the run that asks for it; null for a provider that staff made
 * @returns the ids of the leads
 */
export async function matchWaitingLeads(
  trx: Transaction,
  syncId: number | null,
  since = new Date(Date.now() - WAITING_DAYS * DAY),
): Promise<number[]> {
  const placed = `(select coalesce(max(placed_at), '-infinity') from providers where status = 't')`
  const leads: number[] = await trx('leads')
    .whereNull('provider_id')
    .whereNull('held_reason')
    .where('created_at', '>=', since)
    // `placed_at` is the beginning of a transaction that ended a little later: hence the minute. The jobs of this run see
    // what this run writes.
    .whereRaw(`not exists (
      select from jobs where lead_id = leads.id and name = 'match-lead' and state <> 'cancelled'
        and (created_at > ${placed} + interval '1 minute' or (sync_id is not null and created_at >= ${placed})))`)
    .orderBy('id')
    .forUpdate()
    .pluck('id')
  if (leads.length === 0) return []

  await trx('jobs')
    .whereRaw('lead_id = any(?)', [leads])
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
 * Lists the leads from before that moment that have no provider but one within the radius, in miles. Staff decide about
 * them, because their senders no longer expect a call.
 */
export async function listOldLeads(trx: Transaction, before: Date, radiusMiles: number): Promise<number[]> {
  const waiting: { zip: string; ids: number[] }[] = await trx('leads')
    .select('zip_code as zip', trx.raw('array_agg(id) as ids'))
    .whereNull('provider_id')
    .whereNull('held_reason')
    .where('is_test', false)
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
