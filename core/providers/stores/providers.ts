import type { NetworkCounts } from '../../contract/page.ts'
import { STATE_NAMES } from '../../contract/places.ts'
import type { MatchCandidate } from '../../leads/contract/lead-changes.ts'
import { type Candidate, obstacleOf } from '../../leads/rules/matching.ts'
import { BOOKED, REACHED } from '../../leads/rules/outcomes.ts'
import { NO_TESTS } from '../../leads/stores/leads.ts'
import { MILES, POINT } from '../../leads/stores/places.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import { type ClinicMail, MAILS_JUDGED, MIN_REQUESTS, type ProviderFigures } from '../contract/provider-record.ts'
import type { Obstacle } from '../contract/provider-rules.ts'
import type { StaffProvider } from '../contract/providers.ts'
import * as clinicPeople from './clinic-people.ts'
import { REQUEST_EMAIL } from './clinic-people.ts'
import * as providerRules from './provider-rules.ts'

export type Provider = Omit<StaffProvider, 'leadCount' | 'new_email' | 'obstacle'>

export type NearProvider = Pick<Provider, 'id' | 'name' | 'practiceName' | 'zipCode' | 'phone'> & { miles: number }

/** Lists the active or the inactive providers by name. */
export async function list(db: Db, status: 'active' | 'inactive'): Promise<Provider[]> {
  return query(db)
    .where('status', status === 'active' ? 't' : 'f')
    .orderBy(['name', 'id'])
}

/** Lists one page of providers by name without hidden inactive ones, and whether there are more. */
export async function listPublic(
  db: Db,
  status: 'active' | 'inactive',
  { page, limit }: { page: number; limit: number },
): Promise<{ list: Provider[]; hasMore: boolean }> {
  const rows: Provider[] = await query(db)
    .where('status', status === 'active' ? 't' : 'f')
    .where((rows) => void rows.where('status', 't').orWhere('hidden', false))
    .orderBy(['name', 'id'])
    .limit(limit + 1)
    .offset((page - 1) * limit)
  return { list: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** Finds providers by their ids, active or not, in the order of the ids. Skips missing ones. */
export async function findMany(db: Db, ids: number[]): Promise<Provider[]> {
  const found: Provider[] = await query(db)
    .whereRaw('providers.id = any(?::integer[])', [ids])
    .options({ name: 'find-providers' })
  return found.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

const STATES = Object.keys(STATE_NAMES).filter((code) => code !== 'DC' && code !== 'PR')

/** Counts the active providers, and the states that they are in. The District and Puerto Rico are no states. */
export async function countNetwork(db: Db): Promise<NetworkCounts> {
  const rows = await queryRows<NetworkCounts>(
    db,
    `select count(*)::integer as clinics, count(distinct state) filter (where state = any(?::text[]))::integer as states
     from providers left join zip_codes on zip_codes.zip = zip_code where status = 't'`,
    [STATES],
  )
  return only(rows)
}

export async function find(db: Db, id: number): Promise<Provider | null> {
  return (await query(db).where('id', id).first()) ?? null
}

/** Locks a provider until the transaction ends. Returns whether there is one. */
export async function lock(trx: Transaction, id: number): Promise<boolean> {
  return (await trx('providers').where({ id }).forNoKeyUpdate().first('id')) !== undefined
}

/**
 * Finds the provider whose microsite is served on this host. Ignores the case and a leading `www.`; an exact match comes
 * first.
 */
export async function findByDomain(db: Db, hostname: string): Promise<Provider | null> {
  const exact = hostname.toLowerCase()
  const other = exact.startsWith('www.') ? exact.slice('www.'.length) : `www.${exact}`
  const found: Provider[] = await query(db).whereRaw('lower(domain) in (?, ?)', [exact, other])
  return found.find(({ domain }) => domain?.toLowerCase() === exact) ?? found[0] ?? null
}

/** Lists the active providers nearest to a zip, at any distance. The list is empty when the zip cannot be placed. */
export async function listNearest(db: Db, zip: string, limit: number): Promise<NearProvider[]> {
  const rows = await queryRows<NearProvider>(
    db,
    `select id, name, practice_name as "practiceName", zip_code as "zipCode", phone, ${MILES} as miles
     from (select ?::text as zip) wanted
     cross join lateral (select ${POINT} as point offset 0) here
     cross join lateral (
       select * from providers
       where status = 't' and location is not null and point is not null
       order by location <-> point, id limit ?
     ) nearest
     order by miles, id`,
    [zip, limit],
  )
  return rows
}

/** Lists the zips that have an active provider within the radius, in miles. */
export async function listInReach(db: Db, zips: string[], radiusMiles: number): Promise<Set<string>> {
  const rows = await queryRows<{ zip: string }>(
    db,
    `select zip
     from unnest(?::text[]) as wanted (zip)
     cross join lateral (select ${POINT} as point offset 0) here
     cross join lateral (
       select location from providers where status = 't' and location is not null and point is not null
       order by location <-> point limit 1
     ) nearest
     where ${MILES} <= ?`,
    [zips, radiusMiles],
  )
  return new Set(rows.map(({ zip }) => zip))
}

const CANDIDATES_SHOWN = 10
const CANDIDATES_FOUND = 30

/**
 * Lists the providers that a lead of this zip could get, the nearest first: the active ones, or, with a search, those whose
 * name, practice, city or zip has every word of it, active or not. Only of these few it reads how they answer.
 */
export async function listCandidates(db: Db, zip: string, search?: string): Promise<MatchCandidate[]> {
  const words = search?.split(/\s+/).filter(Boolean) ?? []
  const rows = await queryRows<Omit<MatchCandidate, 'obstacle'>>(
    db,
    `with found as (
     select id, name, practice_name as "practiceName", providers.zip_code as "zipCode", place.city, place.state, status,
       ${MILES} as miles
     from (select ?::text as zip) wanted
     cross join lateral (select ${POINT} as point offset 0) here
     cross join providers
     left join (select zip, city, state from zip_codes) place on place.zip = providers.zip_code
     where ${words.length === 0 ? `status = 't'` : 'true'}
       and folded(concat_ws(' ', name, practice_name, place.city, providers.zip_code)) like all (
         select '%' || replace(replace(replace(folded(word), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
         from unnest(?::text[]) as word)
     order by status desc, miles nulls last, name, id limit ?)
     select found.*, "answerTime", booked from found
     left join lateral (
       select percentile_cont(0.5) within group (order by extract(epoch from answered_at - started_at) * 1000) as "answerTime",
         (count(*) filter (where outcome = any(?)))::double precision / count(*) as booked
       from leads
       left join answer_clocks on lead_id = leads.id and answer_clocks.provider_id = leads.provider_id
       where leads.provider_id = found.id and held_reason is null and not is_test
         and created_at >= now() - interval '90 days'
       having count(*) >= ${MIN_REQUESTS}
     ) recent on true
     order by status desc, miles nulls last, name, id`,
    [zip, words, words.length === 0 ? CANDIDATES_SHOWN : CANDIDATES_FOUND, BOOKED],
  )
  const ids = rows.map(({ id }) => id)
  const rules = await providerRules.findNow(db, ids, zip)
  return rows.map((row) => ({ ...row, obstacle: ownObstacle({ ...row, rules: rules.get(row.id) }) }))
}

/**
 * Adds the fields for staff to each provider: the number of its leads, a new address that is not used yet, and whether it is
 * paused or full.
 */
export async function forStaff(db: Db, providers: Provider[]): Promise<StaffProvider[]> {
  const ids = providers.map(({ id }) => id)
  const [rows, newEmails, rules] = await Promise.all([
    db('leads')
      .select<RowWith<'leads', 'provider_id', { leads: number }>[]>('provider_id', db.raw('count(*)::integer as leads'))
      .whereRaw(`provider_id = any(?) and ${NO_TESTS}`, [ids])
      .groupBy('provider_id'),
    clinicPeople.listNew(db, ids),
    providerRules.findNow(db, ids),
  ])
  const counts = new Map(rows.map(({ provider_id, leads }) => [provider_id, leads]))
  return providers.map((provider) => ({
    ...provider,
    leadCount: counts.get(provider.id) ?? 0,
    new_email: newEmails.get(provider.id) ?? null,
    obstacle: ownObstacle({ id: provider.id, miles: 0, rules: rules.get(provider.id) }),
  }))
}

/** Returns the obstacle that comes from the rules of a provider, not from the network's radius. */
function ownObstacle({ id, miles, rules }: Candidate): Obstacle | null {
  return rules ? obstacleOf({ id, miles: miles ?? 0, rules }, { radiusMiles: Number.POSITIVE_INFINITY }) : null
}

function query(db: Db) {
  return db('providers')
    .leftJoin('pictures as image', 'image.source_url', 'providers.image_url')
    .leftJoin('pictures as logo', 'logo.source_url', 'providers.logo_url')
    .joinRaw(`left join (select zip, city, state from zip_codes) place on place.zip = left(providers.zip_code, 5)`)
    .select(
      ...['id', 'wordpress_id', 'name', { practiceName: 'practice_name' }, 'address', { zipCode: 'zip_code' }],
      ...['city', 'state', 'status', 'latitude', 'longitude', 'phone', 'email', 'website', 'url', 'mpxapi', 'domain'],
      ...['google_ads_id', 'bing_ads_id', 'accepts_free_consultation', 'accepts_financing', 'hidden', 'activation'],
      db.raw(`${REQUEST_EMAIL} as "requestEmail"`),
      db.raw(`${served('providers.image_url', 'image')} as image_url`),
      db.raw(`${served('providers.logo_url', 'logo')} as logo_url`),
      db.raw('coalesce(image.problem, logo.problem) as picture_problem'),
    )
}

/** Returns SQL for the address of our copy of a picture. A picture of our own site keeps its address. */
function served(column: string, picture: string): string {
  return `case when ${column} like '/%' then ${column} else '/pictures/' || ${picture}.file_name end`
}

/** SQL for the last emails to a `mailbox`. The condition on `purpose` is that of the index. */
const LAST_MAILS = `
  select id, purpose, case subject_kind when 'lead' then subject_id end as lead_id,
    coalesce(finished_at, enqueued_at, created_at) as at,
    case state when 'done' then 'delivered' when 'failed' then 'failed' else 'retrying' end as state,
    case when state <> 'done' then last_error end as error, case when state <> 'done' then last_detail end as detail,
    case when state <> 'done' then last_cause end as cause
  from jobs
  where name = 'send-email' and purpose not in ('visitor', 'new_clinic') and result->>'to' = mailbox
    and state <> 'cancelled'
  order by created_at desc limit ${MAILS_JUDGED}`

/**
 * Lists the last emails to the address of each clinic, the newest first, by the clinic's id. Found by the address and not by
 * the lead: a clinic whose leads were passed on keeps its failures, and a new address begins without any.
 */
export async function listMails(db: Db, ids: number[]): Promise<Map<number, ClinicMail[]>> {
  type Found = RowWith<'jobs', 'id', Omit<ClinicMail, 'id' | 'at'> & { provider_id: number; at: Date }>
  const rows = await queryRows<Found>(
    db,
    `select providers.id as provider_id, mail.*
     from (select id, ${REQUEST_EMAIL} as mailbox from providers where id = any(?::integer[]) offset 0) providers
     cross join lateral (${LAST_MAILS}) mail
     order by providers.id, mail.at desc`,
    [ids],
  )
  const mails = new Map<number, ClinicMail[]>(ids.map((id) => [id, []]))
  for (const { provider_id, at, ...mail } of rows) mails.get(provider_id)?.push({ ...mail, at: at.toISOString() })
  return mails
}

type Figures = Omit<ProviderFigures, 'health'> & { mails: Pick<ClinicMail, 'state' | 'at'>[] }

/**
 * Lists the figures of all or of some providers with their last emails, the newest first. Reads the leads of the last 30 days once,
 * and the last lead and emails of each provider from their indexes, as `listMails` does. A clock counts only for the provider that
 * it was started for.
 */
export async function listFigures(db: Db, ids: number[] | null = null): Promise<Figures[]> {
  const rows = await queryRows<Omit<Figures, 'place' | 'last_lead_at'> & Place & { last_lead_at: Date | null }>(
    db,
    `with recent as (
       select leads.provider_id, count(*)::integer as leads,
         (count(*) filter (where outcome = any(:reached)))::double precision / count(*) as reached,
         percentile_cont(0.5) within group (order by (extract(epoch from answered_at - started_at) * 1000)::double precision)
           as answer_time
       from leads
       left join answer_clocks on lead_id = leads.id and answer_clocks.provider_id = leads.provider_id
       where leads.provider_id is not null and held_reason is null and not is_test and created_at >= now() - interval '30 days'
         and (:ids::integer[] is null or leads.provider_id = any(:ids))
       group by leads.provider_id
     )
     select providers.id, city, state, coalesce(leads, 0) as leads, reached, answer_time, last.created_at as last_lead_at,
       coalesce(mails, '[]') as mails
     from (
       select id, zip_code, ${REQUEST_EMAIL} as mailbox from providers
       where :ids::integer[] is null or id = any(:ids) offset 0
     ) providers
     left join zip_codes on zip = zip_code
     left join recent on provider_id = providers.id
     left join lateral (
       select created_at from leads where leads.provider_id = providers.id and not is_test order by created_at desc limit 1
     ) last on true
     left join lateral (
       select json_agg(json_build_object('state', state, 'at', at) order by at desc) as mails
       from (${LAST_MAILS}) mail
     ) mails on true
     order by providers.id`,
    { reached: REACHED, ids },
  )
  return rows.map(({ city, state, last_lead_at, mails, ...figures }) => ({
    ...figures,
    mails: mails.map((mail) => ({ ...mail, at: new Date(mail.at).toISOString() })),
    place: city && state ? { city, state } : null,
    last_lead_at: last_lead_at?.toISOString() ?? null,
  }))
}

type Place = { city: string | null; state: string | null }
