import type { Knex } from 'knex'
import { dayOf } from '../../dates.ts'
import { failingLeads, IS_NOT_REACHED, IS_OPEN, withDeliveries } from '../../deliveries/stores/delivery-status.ts'
import { countRows, type Db, only, queryRows } from '../../platform/db.ts'
import type { Contact } from '../../privacy/rules/opt-outs.ts'
import { askedLeads } from '../../sync/stores/sync-runs.ts'
import type { RowWith } from '../../tables/table.ts'
import type { Lead, LeadCounts, LeadFilter, LeadList, LeadListQuery, LeadSort } from '../contract/leads.ts'
import { OutcomeKind } from '../contract/outcomes.ts'
import { emailsQuery, personQuery, searchTerms } from '../rules/search.ts'
import { withWork } from './lead-changes.ts'
import * as leads from './leads.ts'
import { CLINIC_WORDS, PLACE_WORDS } from './places.ts'
import * as repeats from './repeats.ts'

/** SQL for the words of a lead, exactly as in the indexes of the migration `lead-search`. */
export const WORDS = `lead_words(folded(first_name || ' ' || last_name), email, phone, zip_code)`
/** SQL for the words of a lead that viewers see, exactly as in the index of the migration `search-indexes`. */
const SHOWN_WORDS = `name_words(folded(first_name || ' ' || last_name || ' ' || zip_code))`
/** SQL for the leads whose clinic's answer is late, exactly as in the index of the migration `outcome-search`. */
const LATE = 'select lead_id from answer_clocks where due_at < now() and due_at is not null and answered_at is null'

/** SQL for the zip codes of a state. As an array, so that it can be looked up in an index. */
const ZIPS_OF_STATE = 'array(select zip from zip_codes where state = ?)'

/** A filter, and the time zone of its days. `isMasked`: its search looks at nothing that viewers do not see. */
export type LocalFilter = LeadFilter & { timeZone: string; isMasked?: true }

export async function list(db: Db, { page, limit, sort, ...filter }: LeadListQuery & LocalFilter): Promise<LeadList> {
  const offset = (page - 1) * limit
  const cut = { sort, limit, offset }
  const listing = isSearch(filter) ? found : listed
  const { ids, total } = await listing(db, filter, cut)
  const rows = await leads.add(db, await repeats.count(db, await leads.findMany(db, ids)))
  return { leads: await withWork(db, await withDeliveries(db, rows)), total }
}

/** Returns whether the leads that match have to be found before they can be counted. Most leads meet a negative condition. */
function isSearch({ late, not_reached, due, owner, ...filter }: LeadFilter): boolean {
  const { q, cause, target, state, source, campaign, tag } = filter
  const isNamed = [q, cause, target, state, source, campaign, tag].some((condition) => condition !== undefined)
  return isNamed || late === true || not_reached === true || due === true || typeof owner === 'number'
}

type IdPage = { ids: number[]; total: number }
type Cut = { sort: LeadSort; limit: number; offset: number }

export async function count(db: Db, given: LocalFilter): Promise<number> {
  return countRows(matching(db, given))
}

/** Lists the ids of up to `most` leads that match, the oldest first. */
export async function ids(db: Db, filter: LocalFilter, most: number): Promise<number[]> {
  return matching(db, filter).orderBy('id').limit(most).pluck('id')
}

/**
 * Finds the newest lead of the person of each given lead, by the email in lower case. Skips held and test leads, and leads that
 * failed at the CRM unless they are among the given ones.
 */
export async function newestOfPersons(db: Db, given: Pick<Lead, 'id' | 'email'>[]): Promise<Map<string, Lead>> {
  const emails = given.map(({ email }) => email.toLowerCase())
  const rows = await queryRows<RowWith<'leads', 'id'>>(
    db,
    `select distinct on (lower(email)) id from leads
     where ${WORDS} @@ ?::tsquery and lower(email) = any(?)
       and held_reason is null and not is_test and (crm_sync_status <> 'failed' or id = any(?))
     order by lower(email), id desc`,
    [emailsQuery(emails), emails, given.map(({ id }) => id)],
  )
  const newest = await leads.findMany(
    db,
    rows.map(({ id }) => id),
  )
  return new Map(newest.map((lead) => [lead.email.toLowerCase(), lead]))
}

/** Returns whether a lead has this email in any case. Includes deleted leads that can be restored. */
export async function hasPerson(db: Db, email: string): Promise<boolean> {
  const address = email.toLowerCase()
  const sql = `select from all_leads where ${WORDS} @@ ?::tsquery and lower(email) = ? and not is_test limit 1`
  return (await queryRows(db, sql, [emailsQuery([address]), address])).length > 0
}

/** Lists the ids of all leads with the same email or phone, the oldest first. */
export async function idsOfPerson(db: Db, person: Contact): Promise<number[]> {
  const query = personQuery(person)
  return query ? db('leads').whereRaw(`${WORDS} @@ ?::tsquery`, [query]).orderBy('id').pluck('id') : []
}

/** Counts what staff look at most; `owner` is the account of the viewer. */
export async function countAttention(db: Db, timeZone: string, owner: number | null): Promise<LeadCounts> {
  const counted = (name: string, filter: LeadFilter) =>
    matching(db, { ...filter, timeZone })
      .select(db.raw('count(*)::integer'))
      .as(name)
  // Those that an index answers in one statement: this takes no more than four connections.
  const states = [
    counted('all', {}),
    counted('failed', { failed: true }),
    counted('unmatched', { unmatched: true }),
    counted('held', { held: true }),
    counted('due', { due: true }),
    counted('mine', { owner: owner ?? 0 }),
  ]
  const [rows, not_reached, late] = await Promise.all([
    db.select<Omit<LeadCounts, 'not_reached' | 'late'>[]>(states),
    count(db, { not_reached: true, timeZone }),
    count(db, { late: true, timeZone }),
  ])
  return { ...only(rows), not_reached, late }
}

/** Returns a query for the leads that match, without test leads. */
export function matching(db: Db, filter: LocalFilter) {
  const { q, provider_id, outcome, late, cause, target, asked_by_sync, repeat, not_reached } = filter
  const { crm_sync_status, email_status, failed, unmatched, held, from, to, timeZone } = filter
  const query = db('leads').whereRaw(leads.NO_TESTS)
  if (crm_sync_status !== undefined) query.where({ crm_sync_status })
  if (email_status !== undefined) query.where({ email_status })
  if (failed === true) query.whereRaw(`(crm_sync_status = 'failed' or email_status = 'failed')`)
  if (failed === false) query.whereRaw(`crm_sync_status <> 'failed' and email_status <> 'failed'`)
  if (provider_id !== undefined) query.where({ provider_id })
  if (q !== undefined) whereFound(query, q, filter.isMasked ? SHOWN_WORDS : WORDS)
  if (outcome === 'none') query.whereRaw('outcome is null and provider_id is not null and held_reason is null')
  else if (outcome !== undefined) query.where({ outcome })
  if (late !== undefined) query.whereRaw(`id ${late ? '' : 'not'} in (${LATE})`)
  if (cause !== undefined || target !== undefined) query.whereIn('id', failingLeads(db, filter))
  if (asked_by_sync !== undefined) query.whereIn('id', askedLeads(db, asked_by_sync))
  if (repeat !== undefined) query.whereRaw(`repeat_of is ${repeat ? 'not ' : ''}null`)
  if (unmatched !== undefined) query.whereRaw(`provider_id is ${unmatched ? '' : 'not'} null`)
  if (held !== undefined) query.whereRaw(`held_reason is ${held ? 'not' : ''} null`)
  if (not_reached !== undefined) query.whereRaw(`${not_reached ? '' : 'not'} (${IS_NOT_REACHED})`)
  whereOrigin(query, filter)
  whereWork(query, filter)
  if (from !== undefined) query.whereRaw('created_at >= start_of_day(?, ?)', [from, timeZone])
  if (to !== undefined) query.whereRaw('created_at < start_of_day(?::date + 1, ?)', [to, timeZone])
  return query
}

function whereOrigin(query: Knex.QueryBuilder, filter: LeadFilter): void {
  const { state, source, campaign } = filter
  if (state !== undefined) query.whereRaw(`zip_code = any(${ZIPS_OF_STATE})`, state)
  for (const [name, value] of Object.entries({ source, campaign })) {
    if (value === 'none') query.whereRaw(`lead_${name}(attribution) is null`)
    else if (value !== undefined) query.whereRaw(`lead_${name}(attribution) = ?`, value)
  }
}

function whereWork(query: Knex.QueryBuilder, { owner, tag, due, timeZone }: LocalFilter): void {
  // A join: a list of so many ids fits no memory.
  if (owner === 'none')
    query.whereRaw('not exists (select from lead_work where lead_id = leads.id and owner_id is not null)')
  else if (owner !== undefined) query.whereRaw('id in (select lead_id from lead_work where owner_id = ?)', owner)
  if (tag !== undefined) query.whereRaw('id in (select lead_id from lead_work where tags @> array[?])', tag)
  if (due !== undefined) {
    const today = dayOf(new Date(), timeZone)
    query.whereRaw(`id ${due ? '' : 'not'} in (select lead_id from lead_work where next_action_on <= ?::date)`, today)
  }
}

/** Adds the conditions of a search. Clinics and places are arrays, so that each is looked up in an index of the leads. */
function whereFound(query: Knex.QueryBuilder, q: string, words: string): void {
  const terms = searchTerms(q)
  if (terms.length === 0) query.whereRaw('false')
  for (const { lead, clinic, place, number } of terms) {
    const ways: [sql: string, value: string | number | null][] = [
      [`${words} @@ lower(?)::tsquery`, lead],
      [`provider_id = any(array(select id from providers where ${CLINIC_WORDS} @@ lower(?)::tsquery))`, clinic],
      [`zip_code = any(array(select zip from zip_codes where ${PLACE_WORDS} @@ lower(?)::tsquery))`, place],
      ['id = ?', number],
    ]
    const given = ways.filter(([, value]) => value !== null)
    query.whereRaw(
      `(${given.map(([sql]) => sql).join(' or ')})`,
      given.map(([, value]) => value),
    )
  }
}

/** SQL for the place of a lead in the order of its clinic's mail: what failed, what is retried, what is open, what is sent. */
const CLINIC_MAIL = `case
  when ${IS_NOT_REACHED} then 0
  when id in (select subject_id from jobs where ${IS_OPEN} and last_cause is not null) then 1
  when id in (select subject_id from jobs where ${IS_OPEN}) then 2
  when provider_id is not null and held_reason is null then 3 else 4 end`
/** SQL for the place of a lead in the order of outcomes. */
const OUTCOME = `coalesce(array_position('{${OutcomeKind.options.join()}}'::text[], outcome), 0)`

type Order = { by: string; join?: string }

const ORDERS: Record<Exclude<LeadSort, `-${string}`>, Order> = {
  created_at: { by: 'created_at' },
  name: { by: `folded(last_name || ' ' || first_name) collate "C"` },
  zip_code: { by: 'zip_code' },
  provider: {
    by: 'clinic_rank',
    join: `left join (
      select id as clinic_id, rank() over (order by folded(name) collate "C") as clinic_rank from providers
    ) clinic on clinic_id = provider_id`,
  },
  crm: { by: `crm_sync_status collate "C"` },
  clinic: { by: CLINIC_MAIL },
  outcome: { by: OUTCOME },
  source: { by: 'lead_source(attribution)' },
}

/** Puts a query of leads in the order of a list. `reverse` reads it from its end. */
export function inOrder<Query extends Knex.QueryBuilder>(
  query: Query,
  sort: LeadSort,
  { reverse = false } = {},
): Query {
  const descends = sort.startsWith('-') !== reverse
  const { by, join } = ORDERS[sort.replace('-', '') as keyof typeof ORDERS]
  if (join) query.joinRaw(join)
  const direction = descends ? 'desc' : 'asc'
  query.orderByRaw(`${by} ${direction}, id ${direction}`)
  return query
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
    return inOrder(matching(trx, filter), sort, direction).limit(limit).offset(offset).pluck('id')
  })
}

/** Searches for a page. One pass over the leads that it finds gives page and total. */
async function found(db: Db, filter: LocalFilter, { sort, limit, offset }: Cut): Promise<IdPage> {
  const rows = await inOrder(matching(db, filter), sort)
    .select<RowWith<'leads', 'id', { total: number }>[]>('id', db.raw('count(*) over ()::integer as total'))
    .limit(limit)
    .offset(offset)
  const isPastEnd = rows.length === 0 && offset > 0
  return { ids: rows.map(({ id }) => id), total: isPastEnd ? await count(db, filter) : (rows[0]?.total ?? 0) }
}
