import { type Lead, MAX_COUNTED_REQUESTS, type RelatedLead, type RequestCount } from '../contract/leads.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import { MIN_PHONE_DIGITS } from '../rules/person-hash.ts'
import type { RowWith } from './table.ts'

/*
 * The requests of one person: those with the same e-mail or phone, and those that staff have linked, over any number of
 * steps. Links of deleted leads wait until they are restored.
 */

const ACTIVE = 'unlinked_at is null'

/**
 * SQL for the ids of all requests of the person of the lead `root`, itself included. Stops at the most that are counted,
 * because thousands may have typed the same phone. Every step is a lookup of an exact key in an index.
 */
export const REQUESTS = `(
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
      union all
      select leads.id, email, phone from person_links join leads on leads.id = other_id
      where person_links.lead_id = request.id and ${ACTIVE}
      union all
      select leads.id, email, phone from person_links join leads on leads.id = lead_id
      where person_links.other_id = request.id and ${ACTIVE}
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
export const RELATED_SHOWN = 10

/** Lists up to ten other requests of the person of a lead, the newest first. */
export async function listOthers(db: Db, id: number): Promise<RelatedLead[]> {
  type Found = RowWith<
    'leads',
    'id' | 'created_at' | 'provider_id' | 'held_reason' | 'outcome',
    Pick<RelatedLead, 'provider_name' | 'linked'>
  >
  const rows = await queryRows<Found>(
    db,
    `select lead.id, lead.created_at, provider_id, held_reason, outcome, providers.name as provider_name, exists (
         select from person_links where ${ACTIVE}
           and person_links.lead_id = least(lead.id, root) and other_id = greatest(lead.id, root)
       ) as linked
     from (select ?::integer as root) opened cross join lateral ${REQUESTS} request
     join leads lead on lead.id = request.id and lead.id <> root
     left join providers on providers.id = provider_id
     order by lead.id desc limit ?`,
    [id, RELATED_SHOWN],
  )
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }))
}

/** Returns whether two leads are known to be of the same person. */
export async function isSame(db: Db, id: number, otherId: number): Promise<boolean> {
  const rows = await queryRows(
    db,
    `select from (select ?::integer as root) opened cross join lateral ${REQUESTS} request where request.id = ?`,
    [id, otherId],
  )
  return rows.length > 0
}

/** Links two leads. The caller holds their locks. Returns false when they are linked already. */
export async function add(trx: Transaction, id: number, otherId: number, actor: string): Promise<boolean> {
  const added = await trx('person_links')
    .insert({ ...pair(id, otherId), linked_by: actor })
    .onConflict(trx.raw(`(lead_id, other_id) where ${ACTIVE}`))
    .ignore()
    .returning('id')
  return added.length > 0
}

/** Ends the link of two leads. The row stays. Returns false when there is none. */
export async function end(trx: Transaction, id: number, otherId: number, actor: string): Promise<boolean> {
  const ended = await trx('person_links')
    .where(pair(id, otherId))
    .whereRaw(ACTIVE)
    .update({ unlinked_at: trx.fn.now(), unlinked_by: actor })
  return ended > 0
}

export async function areLinked(db: Db, id: number, otherId: number): Promise<boolean> {
  return (await db('person_links').where(pair(id, otherId)).whereRaw(ACTIVE).first('id')) !== undefined
}

/** Deletes the links of a lead that is deleted for good. */
export async function remove(trx: Transaction, id: number): Promise<void> {
  await trx('person_links').where({ lead_id: id }).orWhere({ other_id: id }).delete()
}

const pair = (id: number, otherId: number) => ({ lead_id: Math.min(id, otherId), other_id: Math.max(id, otherId) })
