import { type Db, queryRows } from '../../platform/db.ts'
import { MIN_PHONE_DIGITS } from '../../privacy/rules/person-hash.ts'
import type { RowWith } from '../../tables/table.ts'
import { type Lead, MAX_COUNTED_REQUESTS, type RelatedLead, type RequestCount } from '../contract/leads.ts'

/**
 * SQL for the ids of all requests of the person of the lead `root`, itself included: those with the same email or phone, over
 * any number of steps. Stops at the most that are counted, because thousands may have typed the same phone. Every step is a lookup of an exact key in an index.
 */
const REQUESTS = `(
  with recursive request (id, email, phone) as (
    select id, lower(email), national_digits(phone) from leads where id = root
    union
    select other.id, lower(other.email), national_digits(other.phone)
    from request cross join lateral (
      select id, email, phone from leads
      where held_reason is null and not is_test and recipient_of(leads.email) = recipient_of(request.email)
        and lower(leads.email) = request.email
      union all
      select id, email, phone from leads where held_reason is not null and not is_test and lower(leads.email) = request.email
      union all
      select id, email, phone from leads
      where length(request.phone) >= ${MIN_PHONE_DIGITS} and national_digits(leads.phone) = request.phone and not is_test
    ) other
  )
  select id from request limit ${MAX_COUNTED_REQUESTS}
)`

/** Adds its place among the requests of its person to each lead, in one query. */
export async function count<Row extends Pick<Lead, 'id'>>(
  db: Db,
  leads: Row[],
): Promise<(Row & { requests: RequestCount })[]> {
  const rows = await queryRows<RequestCount & { root: number }>(
    db,
    `select root, (count(*) filter (where request.id <= root))::integer as number, count(*)::integer as total
     from unnest(?::integer[]) as root cross join lateral ${REQUESTS} request group by root`,
    [leads.map(({ id }) => id)],
  )
  const counts = new Map(rows.map(({ root, ...requests }) => [root, requests]))
  return leads.map((lead) => ({ ...lead, requests: counts.get(lead.id) ?? { number: 1, total: 1 } }))
}

/** The most requests in a list of other requests. */
const RELATED_SHOWN = 10

/** Lists up to ten other requests of the person of a lead, the newest first. */
export async function listOthers(db: Db, id: number): Promise<RelatedLead[]> {
  type Found = RowWith<
    'leads',
    'id' | 'created_at' | 'provider_id' | 'held_reason' | 'outcome',
    Pick<RelatedLead, 'provider_name'>
  >
  const rows = await queryRows<Found>(
    db,
    `select lead.id, lead.created_at, provider_id, held_reason, outcome, providers.name as provider_name
     from (select ?::integer as root) opened cross join lateral ${REQUESTS} request
     join leads lead on lead.id = request.id and lead.id <> root
     left join providers on providers.id = provider_id
     order by lead.id desc limit ?`,
    [id, RELATED_SHOWN],
  )
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }))
}
