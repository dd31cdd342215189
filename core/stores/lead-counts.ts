import type { Knex } from 'knex'
import type { LeadCounts, LeadFilter } from '../contract/leads.ts'
import { type Db, only, queryRows } from '../platform/db.ts'
import { SECOND } from '../time.ts'

/**
 * The table `lead_counts` has the number of leads by day and state, so that lists need not count the leads. Test leads are left out. Triggers on
 * `leads` append each difference in the transaction of the change: the sums are exact, and no transaction waits for
 * another. Days are those of the network's time zone, which the triggers read from the table `network`.
 */

/**
 * SQL that leaves test leads out of `leads`. By their ids, and not by `is_test`, so that lists and counts still read an index
 * alone. There are few test leads, and they have an index.
 */
export const NO_TESTS = 'leads.id <> all(array(select id from leads where is_test))'

/** Returns whether the counts can answer a filter. They know whether it asks for deliveries, holds, matches and times only. */
export function isCounted(filter: LeadFilter): boolean {
  const { crm_sync_status, email_status, failed, unmatched, held, from, to, ...others } = filter
  const { timeZone, ...uncounted } = others as typeof others & { timeZone?: string }
  return Object.values(uncounted).every((condition) => condition === undefined)
}

export async function count(db: Db, filter: LeadFilter): Promise<number> {
  const sum = db.raw('coalesce(sum(leads), 0)::integer as total')
  return only(await matching(db, filter).select<{ total: number }[]>(sum)).total
}

/** Counts all leads, and those of each state that needs attention. */
export async function countStates(db: Db): Promise<Pick<LeadCounts, 'all' | 'failed' | 'unmatched' | 'held'>> {
  const count = (condition: string) => `coalesce(sum(leads) filter (where ${condition}), 0)::integer`
  return only(
    await queryRows<Awaited<ReturnType<typeof countStates>>>(
      db,
      `select ${count('true')} as all, ${count(HAS_FAILED)} as failed, ${count('not matched')} as unmatched,
         ${count('held')} as held
       from lead_counts`,
    ),
  )
}

/** Counts the matching leads of each day that has any, the earliest first. */
export async function countByDay(db: Db, filter: LeadFilter): Promise<{ day: string; leads: number }[]> {
  return matching(db, filter)
    .select<{ day: string; leads: number }[]>(db.raw('day::text'), db.raw('sum(leads)::integer as leads'))
    .groupBy('day')
    .havingRaw('sum(leads) > 0')
    .orderBy('day')
}

/**
 * Sets the time zone of the days. Counts everything again if it changes, while new leads wait: a second or two for a
 * million leads. Of two processes at the same time, one counts. Returns whether the zone has changed.
 * @throws Error when PostgreSQL does not know the zone, or a table is not free within ten seconds; nothing changes then
 */
export async function setTimeZone(db: Db, timeZone: string): Promise<boolean> {
  if ((await db('network').where({ time_zone: timeZone })).length > 0) return false
  return db.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = ${10 * SECOND}`)
    // Transactions that count leads, and `compact`, wait for this one, and this one waits for them.
    await trx.raw('lock table leads, lead_counts in share row exclusive mode')
    if ((await trx('network').where({ time_zone: timeZone })).length > 0) return false
    // A zone that PostgreSQL does not know would refuse every lead.
    await trx.raw('select now() at time zone ?', [timeZone])
    await trx('network').insert({ time_zone: timeZone }).onConflict('is_only').merge()
    await trx('lead_counts').delete()
    await trx.raw(
      `insert into lead_counts
       select (created_at at time zone ?)::date, crm_sync_status, email_status, provider_id is not null,
         held_reason is not null, count(*)
       from leads where not is_test group by 1, 2, 3, 4, 5`,
      [timeZone],
    )
    return true
  })
}

/**
 * Merges the rows of the same day and state. Two runs at the same time merge them once.
 * @returns the number of rows that were saved
 */
export async function compact(db: Db): Promise<number> {
  const sql = `
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
    select (select count(*) from gone)::integer - (select count(*) from kept)::integer as fewer`
  return only(await queryRows<{ fewer: number }>(db, sql)).fewer
}

const HAS_FAILED = `(crm_sync_status = 'failed' or email_status = 'failed')`

/** Adds the conditions on deliveries to a query of leads or of their counts. */
export function whereDelivered(query: Knex.QueryBuilder, { crm_sync_status, email_status, failed }: LeadFilter): void {
  if (crm_sync_status !== undefined) query.where({ crm_sync_status })
  if (email_status !== undefined) query.where({ email_status })
  if (failed === true) query.whereRaw(HAS_FAILED)
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
