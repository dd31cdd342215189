import type { Lead, LeadFilter, LeadList, LeadListQuery, LeadSort } from '../contract/leads.ts'
import type { LinkCandidate } from '../contract/person-links.ts'
import { countRows, type Db, only, queryRows } from '../platform/db.ts'
import { emailsQuery, leadSearchQuery, personQuery } from '../rules/lead-search.ts'
import type { Contact } from '../rules/person-hash.ts'
import { withDeliveries } from './delivery-status.ts'
import { failingLeads } from './failures.ts'
import * as leadCounts from './lead-counts.ts'
import { withWork } from './lead-work.ts'
import * as leads from './leads.ts'
import * as personLinks from './person-links.ts'
import { RELATED_SHOWN, REQUESTS } from './person-links.ts'
import { askedLeads } from './sync-runs.ts'
import type { RowWith } from './table.ts'

/** SQL for the words of a lead, exactly as in the indexes of the migration `lead-search`. */
export const WORDS = `lead_words(folded(first_name || ' ' || last_name), email, phone, zip_code)`
/** SQL for the leads whose clinic's answer is late, exactly as in the index of the migration `outcome-search`. */
const LATE = 'select lead_id from answer_clocks where due_at < now() and due_at is not null and answered_at is null'
const SORTED_BY = {
  created_at: ['created_at', 'id'],
  name: [`folded(last_name || ' ' || first_name) collate "C"`, 'id'],
  zip_code: ['zip_code', 'id'],
}

/** SQL for the ids of leads whose person had sent an earlier request. */
const REPEATS = `(
  select id from leads where repeat_of is not null union select other_id from person_links where unlinked_at is null
)`

/** A filter, and the time zone of its days. */
export type LocalFilter = LeadFilter & { timeZone: string }

/** Lists one page of the leads that match, and counts them. */
export async function list(db: Db, { page, limit, sort, ...filter }: LeadListQuery & LocalFilter): Promise<LeadList> {
  const offset = (page - 1) * limit
  const cut = { sort, limit, offset }
  const isByTime = sort.endsWith('created_at') && leadCounts.isCounted(filter)
  const isSearch = [filter.q, filter.cause, filter.target, filter.late || undefined].some(
    (condition) => condition !== undefined,
  )
  const listing = isSearch ? found : isByTime ? listedByTime : listed
  const { ids, total } = await listing(db, filter, cut)
  const rows = await personLinks.count(db, await leads.findMany(db, ids))
  return { leads: await withWork(db, await withDeliveries(db, rows)), total }
}

type IdPage = { ids: number[]; total: number }
type Cut = { sort: LeadSort; limit: number; offset: number }

/** Counts the leads that match. */
export async function count(db: Db, filter: LocalFilter): Promise<number> {
  if (leadCounts.isCounted(filter)) return leadCounts.count(db, filter)
  return countRows(matching(db, filter))
}

/** Lists the ids of up to `most` leads that match, the oldest first. */
export async function ids(db: Db, filter: LocalFilter, most: number): Promise<number[]> {
  return matching(db, filter).orderBy('id').limit(most).pluck('id')
}

/**
 * Finds the newest lead of the person of each given lead, by the e-mail in lower case. Skips held leads, and leads that
 * failed at the CRM unless they are among the given ones.
 */
export async function newestOfPersons(db: Db, given: Pick<Lead, 'id' | 'email'>[]): Promise<Map<string, Lead>> {
  const emails = given.map(({ email }) => email.toLowerCase())
  const rows = await queryRows<RowWith<'leads', 'id'>>(
    db,
    `select distinct on (lower(email)) id from leads
     where ${WORDS} @@ ?::tsquery and lower(email) = any(?)
       and held_reason is null and (crm_sync_status <> 'failed' or id = any(?))
     order by lower(email), id desc`,
    [emailsQuery(emails), emails, given.map(({ id }) => id)],
  )
  const newest = await leads.findMany(
    db,
    rows.map(({ id }) => id),
  )
  return new Map(newest.map((lead) => [lead.email.toLowerCase(), lead]))
}

/** Returns whether a lead has this e-mail in any case. Includes deleted leads that can be restored. */
export async function hasPerson(db: Db, email: string): Promise<boolean> {
  const address = email.toLowerCase()
  const rows = await queryRows<{ found: boolean }>(
    db,
    `select exists (select from leads where ${WORDS} @@ ?::tsquery and lower(email) = ?)
       or exists (select from deleted_leads where lower(lead->>'email') = ?) as found`,
    [emailsQuery([address]), address, address],
  )
  return only(rows).found
}

/**
 * Lists up to ten requests that may be of the same person, the newest first: the one with the number that is searched for,
 * and those that match the search as in the list of leads. Without a search, those with the same name.
 */
export async function listLinkCandidates(
  db: Db,
  { id, first_name, last_name }: Pick<Lead, 'id' | 'first_name' | 'last_name'>,
  search = `${first_name} ${last_name}`,
): Promise<LinkCandidate[]> {
  const number = /^#?(\d{1,9})$/.exec(search)?.[1]
  // With `#` it is the number and nothing that begins like it.
  const query = search.startsWith('#') ? null : leadSearchQuery(search)
  type Found = RowWith<'leads', keyof LinkCandidate & keyof Lead, Pick<LinkCandidate, 'provider_name'>>
  const rows = await queryRows<Found>(
    db,
    `select lead.id, first_name, last_name, lead.email, lead.phone, lead.zip_code, lead.created_at, held_reason, outcome,
       providers.name as provider_name
     from (
       select * from leads
       where (${WORDS} @@ lower(:query)::tsquery or id = :number::integer)
         and id not in (select request.id from (select :id::integer as root) opened cross join lateral ${REQUESTS} request)
       order by id desc limit ${RELATED_SHOWN}
     ) lead left join providers on providers.id = provider_id
     order by lead.id desc`,
    { id, query: query ?? '', number: number ?? null },
  )
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }))
}

/** Lists the ids of all leads with the same e-mail or phone, the oldest first. */
export async function idsOfPerson(db: Db, { email = '', phone = '' }: Contact): Promise<number[]> {
  const query = personQuery({ email, phone })
  return query ? db('leads').whereRaw(`${WORDS} @@ ?::tsquery`, [query]).orderBy('id').pluck('id') : []
}

/** Moves the words of new leads from the pending list into the search index. Returns the number of pages. */
export async function indexWords(db: Db): Promise<number> {
  return only(await queryRows<{ pages: number }>(db, 'select index_lead_words()::integer as pages')).pages
}

/** Returns a query for the leads that match. */
export function matching(db: Db, filter: LocalFilter) {
  const { q, provider_id, outcome, late, cause, target, asked_by_sync, repeat } = filter
  const { unmatched, held, from, to, timeZone } = filter
  const query = db('leads')
  leadCounts.whereDelivered(query, filter)
  if (provider_id !== undefined) query.where({ provider_id })
  if (q !== undefined) {
    const wanted = leadSearchQuery(q)
    query.whereRaw(wanted === null ? 'false' : `${WORDS} @@ lower(?)::tsquery`, wanted ?? [])
  }
  if (outcome === 'none') query.whereRaw('outcome is null and provider_id is not null and held_reason is null')
  else if (outcome !== undefined) query.where({ outcome })
  if (late !== undefined) query.whereRaw(`id ${late ? '' : 'not'} in (${LATE})`)
  if (cause !== undefined || target !== undefined) query.whereIn('id', failingLeads(db, filter))
  if (asked_by_sync !== undefined) query.whereIn('id', askedLeads(db, asked_by_sync))
  if (repeat !== undefined) query.whereRaw(`id ${repeat ? 'in' : 'not in'} ${REPEATS}`)
  if (unmatched !== undefined) query.whereRaw(`provider_id is ${unmatched ? '' : 'not'} null`)
  if (held !== undefined) query.whereRaw(`held_reason is ${held ? 'not' : ''} null`)
  if (from !== undefined) query.whereRaw('created_at >= start_of_day(?, ?)', [from, timeZone])
  if (to !== undefined) query.whereRaw('created_at < start_of_day(?::date + 1, ?)', [to, timeZone])
  return query
}

/** Returns SQL for the order of a list. `reverse` reads it from its end. */
export function inOrder(sort: LeadSort, { reverse = false } = {}): string {
  const descends = sort.startsWith('-') !== reverse
  const columns = SORTED_BY[sort.replace('-', '') as keyof typeof SORTED_BY]
  return columns.map((column) => `${column} ${descends ? 'desc' : 'asc'}`).join(', ')
}

/** Reads a page by time. The counts of the days tell on which day the page starts, so earlier days are not read. */
async function listedByTime(db: Db, filter: LocalFilter, { sort, limit, offset }: Cut): Promise<IdPage> {
  const descends = sort === '-created_at'
  const days = await leadCounts.countByDay(db, filter)
  const total = days.reduce((sum, day) => sum + day.leads, 0)
  let before = offset
  for (const { day, leads: onDay } of descends ? days.reverse() : days) {
    if (before < onDay) {
      const rest = { ...filter, [descends ? 'to' : 'from']: day }
      return { ids: await read(db, rest, { sort, limit, offset: before }), total }
    }
    before -= onDay
  }
  return { ids: [], total }
}

/** Reads a page from the nearer end of the list, from an index alone. */
async function listed(db: Db, filter: LocalFilter, { sort, limit, offset }: Cut): Promise<IdPage> {
  const total = await count(db, filter)
  const size = Math.min(limit, total - offset)
  if (size <= 0) return { ids: [], total }
  const fromEnd = total - offset - size
  if (offset <= fromEnd) return { ids: await read(db, filter, { sort, limit: size, offset }), total }
  const ids = await read(db, filter, { sort, limit: size, offset: fromEnd }, { reverse: true })
  return { ids: ids.toReversed(), total }
}

async function read(db: Db, filter: LocalFilter, { sort, limit, offset }: Cut, direction = {}): Promise<number[]> {
  return db.transaction(async (trx) => {
    // Parallel workers would hand every skipped row to the leader.
    await trx.raw('set local max_parallel_workers_per_gather = 0')
    return matching(trx, filter).orderByRaw(inOrder(sort, direction)).limit(limit).offset(offset).pluck('id')
  })
}

/** Searches for a page. One pass over the leads that it finds gives page and total. */
async function found(db: Db, filter: LocalFilter, { sort, limit, offset }: Cut): Promise<IdPage> {
  const rows = await matching(db, filter)
    .select<RowWith<'leads', 'id', { total: number }>[]>('id', db.raw('count(*) over ()::integer as total'))
    .orderByRaw(inOrder(sort))
    .limit(limit)
    .offset(offset)
  const isPastEnd = rows.length === 0 && offset > 0
  return { ids: rows.map(({ id }) => id), total: isPastEnd ? await count(db, filter) : (rows[0]?.total ?? 0) }
}
