import type { Knex } from 'knex'
import type { LeadFilter } from '../contract/leads.ts'
import type { Db } from '../db.ts'

/**
 * How many leads there are of each day and state, without counting leads. Triggers of `leads` add what every change adds
 * or takes away to `lead_counts`, in the transaction of the change, so that the sums are exact and nobody waits.
 */

/** Whether these counts know the filter: they know neither providers nor names. */
export function isCounted({ q, provider_id }: LeadFilter): boolean {
  return q === undefined && provider_id === undefined
}

export async function count(db: Db, filter: LeadFilter): Promise<number> {
  const [{ total }] = await matching(db, filter).select(db.raw('coalesce(sum(leads), 0)::integer as total'))
  return total
}

/** How many leads match on each day (UTC) that has any, the earliest first. */
export async function countByDay(db: Db, filter: LeadFilter): Promise<{ day: string; leads: number }[]> {
  return matching(db, filter)
    .select(db.raw('day::text'), db.raw('sum(leads)::integer as leads'))
    .groupBy('day')
    .havingRaw('sum(leads) > 0')
    .orderBy('day')
}

/**
 * Makes one row of those that have come together for a day and a state. Two at once do it once.
 * @returns how many rows fewer there are
 */
export async function compact(db: Db): Promise<number> {
  const { rows } = await db.raw(`
    with scattered as (
      select day, crm_sync_status, email_status, matched, held from lead_counts group by 1, 2, 3, 4, 5 having count(*) > 1
    ), gone as (
      delete from lead_counts using scattered
      where (lead_counts.day, lead_counts.crm_sync_status, lead_counts.email_status, lead_counts.matched, lead_counts.held)
        = (scattered.day, scattered.crm_sync_status, scattered.email_status, scattered.matched, scattered.held)
      returning lead_counts.*
    ), kept as (
      insert into lead_counts select day, crm_sync_status, email_status, matched, held, sum(leads) from gone
      group by 1, 2, 3, 4, 5 having sum(leads) <> 0
      returning 1
    )
    select (select count(*) from gone)::integer - (select count(*) from kept)::integer as fewer`)
  return rows[0].fewer
}

/** What is asked of the deliveries: of leads and of their counts in the same words. */
export function whereDelivered(query: Knex.QueryBuilder, { crm_sync_status, email_status, failed }: LeadFilter): void {
  if (crm_sync_status !== undefined) query.where({ crm_sync_status })
  if (email_status !== undefined) query.where({ email_status })
  if (failed === true) query.whereRaw(`(crm_sync_status = 'failed' or email_status = 'failed')`)
  if (failed === false) query.whereRaw(`crm_sync_status <> 'failed' and email_status <> 'failed'`)
}

function matching(db: Db, filter: LeadFilter) {
  const { unmatched, held, from, to } = filter
  const query = db('lead_counts')
  whereDelivered(query, filter)
  if (unmatched !== undefined) query.where('matched', !unmatched)
  if (held !== undefined) query.where({ held })
  if (from !== undefined) query.whereRaw('day >= ?::date', from)
  if (to !== undefined) query.whereRaw('day <= ?::date', to)
  return query
}
