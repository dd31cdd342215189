import { columnsOf } from '../../deliveries/jobs.ts'
import { PREVIOUS_PROVIDER, withDeliveries } from '../../deliveries/stores/delivery-status.ts'
import { AppError } from '../../errors.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import { timeZoneOf } from '../../providers/rules/business-hours.ts'
import { REQUEST_EMAIL } from '../../providers/stores/clinic-people.ts'
import type { RowWith } from '../../tables/table.ts'
import {
  Lead,
  type LeadDetails,
  type LeadFilterValues,
  type LeadWork,
  type ListedLead,
  MAX_FILTER_VALUES,
} from '../contract/leads.ts'
import type { Match, NoMatch } from '../rules/matching.ts'
import * as zipCodes from './places.ts'

/** Where a visitor lives and came from. `lead_source` and `lead_campaign` are functions of the database. */
type Origin = Pick<ListedLead, 'place' | 'source' | 'campaign'>

/** Adds its place, source and campaign to each lead, in one query. */
export async function add<Row extends Pick<Lead, 'id'>>(db: Db, leads: Row[]): Promise<(Row & Origin)[]> {
  const rows = await queryRows<Origin & { id: number }>(
    db,
    `select id, lead_source(attribution) as source, lead_campaign(attribution) as campaign,
       (select nullif(concat_ws(', ', city, state), '') from zip_codes where zip = zip_code) as place
     from leads where id = any(?::integer[])`,
    [leads.map(({ id }) => id)],
  )
  const origins = new Map(rows.map(({ id, ...origin }) => [id, origin]))
  return leads.map((lead) => ({ ...lead, ...(origins.get(lead.id) ?? { place: null, source: null, campaign: null }) }))
}

/** SQL for the different values of an indexed expression, up to a number. Looks up one after the other, not every lead. */
const valuesOf = (expression: string) => `array(
  with recursive each (value) as (
    (select ${expression} from leads where ${expression} is not null order by ${expression} limit 1)
    union all
    select (select ${expression} from leads where ${expression} > value order by ${expression} limit 1)
    from each where value is not null
  )
  select value from each where value is not null limit ${MAX_FILTER_VALUES}
)`

type LeadValues = Pick<LeadFilterValues, 'states' | 'sources' | 'campaigns'>

/** Lists the states, sources and campaigns that leads have, in the order of the alphabet. */
export async function listValues(db: Db): Promise<LeadValues> {
  const rows = await queryRows<LeadValues>(
    db,
    `select ${valuesOf('lead_source(attribution)')} as sources, ${valuesOf('lead_campaign(attribution)')} as campaigns,
       array(
         select state from (select distinct state from zip_codes where state is not null) known
         where exists (select from zip_codes join leads on zip_code = zip where zip_codes.state = known.state)
         order by 1
       ) as states`,
  )
  return only(rows)
}

/**
 * SQL that leaves test leads out of `leads`. By their ids, and not by `is_test`, so that lists and counts still read an index
 * alone. There are few test leads, and they have an index.
 */
export const NO_TESTS = 'leads.id <> all(array(select id from leads where is_test))'

/**
 * Locks a lead until the transaction ends. Every change of a lead or its jobs takes this lock first, then those of the
 * jobs.
 */
export async function lock(trx: Transaction, id: number): Promise<Lead | null> {
  const row = await query(trx).where('id', id).forNoKeyUpdate().first()
  return row ? present(row) : null
}

/** Locks those of the leads that no other transaction holds. Returns their ids. */
export async function lockFree(trx: Transaction, ids: number[]): Promise<number[]> {
  const free = await queryRows<RowWith<'leads', 'id'>>(
    trx,
    'select id from leads where id = any(?::integer[]) for no key update skip locked',
    [ids],
    { name: 'lock-free-leads' },
  )
  return free.map(({ id }) => id)
}

export async function find(db: Db, id: number): Promise<Lead | null> {
  const row = await query(db).where('id', id).first()
  return row ? present(row) : null
}

/** Finds a lead with its place, its clinic, the evidence of its consent, and how the visitor came. */
export async function findDetails(
  db: Db,
  id: number,
): Promise<Omit<LeadDetails, 'samePerson' | 'requests' | 'opt_out' | 'booked_for' | keyof LeadWork> | null> {
  const row = await query(db)
    .select<(LeadRow & RowWith<'leads', 'crm_external_id' | 'attribution'>)[]>('crm_external_id', 'attribution')
    .where('id', id)
    .first()
  if (!row) return null
  const [lead] = await withDeliveries(db, await add(db, [present(row)]))
  if (!lead) return null
  const clinic = await db('providers')
    .where('id', lead.provider_id)
    .first<LeadDetails['clinic'] | undefined>(
      'name',
      { practiceName: 'practice_name' },
      'phone',
      db.raw(`${REQUEST_EMAIL} as email`),
    )
  const consent = await db('consents')
    .select('wording', 'wording_version', 'wording_hash', 'sharing_wording', 'sharing_version')
    .select('given_at', 'channel', 'ip', 'user_agent', 'page_url')
    .where('lead_id', id)
    .first()
  const zip = await zipCodes.find(db, lead.zip_code)
  // The jobs that were made with the lead have its time.
  const made = await db('jobs')
    .where(columnsOf(`lead:${id}`))
    .whereRaw('created_at = (select created_at from leads where leads.id = subject_id)')
    .first('request_id')
  return {
    ...lead,
    request_id: made?.request_id ?? null,
    time_zone: zip && timeZoneOf(zip),
    clinic: clinic ?? null,
    consent: consent ? { ...consent, given_at: consent.given_at.toISOString() } : null,
  }
}

/** The lead that the CRM means: by our id, or by the id that it gave the lead. */
type LeadForCrm = { id: number } | { crm_id: string }

/** Returns the id of the lead that the CRM means. A CRM that keeps persons means their newest lead. */
export async function findIdForCrm(db: Db, named: LeadForCrm): Promise<number | undefined> {
  if ('id' in named) return named.id
  const newest = await db('leads').where('crm_external_id', named.crm_id).orderBy('id', 'desc').first('id')
  return newest?.id
}

/** Lists the leads that have these ids in the CRM, the newest first. A CRM that keeps persons has one id for several leads. */
export async function listOfCrm(db: Db, crmIds: string[]): Promise<{ id: number; crmId: string; createdAt: Date }[]> {
  if (crmIds.length === 0) return []
  return queryRows<{ id: number; crmId: string; createdAt: Date }>(
    db,
    `select id, crm_external_id as "crmId", created_at as "createdAt" from leads
     where crm_external_id = any(?::text[]) order by id desc`,
    [crmIds],
  )
}

export async function wasDeleted(db: Db, named: LeadForCrm): Promise<boolean> {
  const [deleted, erased, value] =
    'id' in named ? ['id', 'row_id = ?', named.id] : ['crm_external_id', 'crm_id = ?', named.crm_id]
  const rows = await queryRows<{ found: boolean }>(
    db,
    `select exists (select from all_leads where ${deleted} = ? and deleted_at is not null)
       or exists (select from erasures where kind = 'lead' and ${erased}) as found`,
    [value, value],
  )
  return only(rows).found
}

/** Finds leads by their ids, in the order of the ids. Skips missing ones. */
export async function findMany(db: Db, ids: number[]): Promise<Lead[]> {
  const rows = await query(db).whereRaw('id = any(?::integer[])', [ids]).options({ name: 'find-leads' })
  const found = new Map(rows.map((row) => [row.id, present(row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Lists the clinics that have or had a lead, also those that were never told of it. */
export async function listClinics(db: Db, id: number): Promise<number[]> {
  return (await listClinicsOf(db, [id])).get(id) ?? []
}

/** Does the same for several leads. Skips leads that no clinic has had. */
export async function listClinicsOf(db: Db, ids: number[]): Promise<Map<number, number[]>> {
  const rows = await queryRows<{ lead: number; clinic: number }>(
    db,
    `select id as lead, provider_id as clinic from leads
       where id = any(cast(:ids as integer[])) and provider_id is not null
     union select subject_id, ${PREVIOUS_PROVIDER} from jobs
       where subject_kind = 'lead' and subject_id = any(cast(:ids as integer[])) and ${PREVIOUS_PROVIDER} is not null
     union select lead_id, provider_id from lead_outcomes
       where lead_id = any(cast(:ids as integer[])) and provider_id is not null
     union select cast(entity_id as integer), cast(details ->> 'from' as integer) from audit_log
       where entity = 'lead' and entity_id = any(cast(:texts as text[])) and action in ('assign-provider', 'pass-on')
         and details ->> 'from' is not null`,
    { ids, texts: ids.map(String) },
  )
  const clinics = new Map<number, number[]>()
  for (const { lead, clinic } of rows) clinics.set(lead, [...(clinics.get(lead) ?? []), clinic])
  return clinics
}

/** Lists the full names of leads, by id. Skips missing ones. */
export async function listNames(db: Db, ids: number[]): Promise<Map<number, string>> {
  const rows = await db('leads').select('id', 'first_name', 'last_name').whereIn('id', ids)
  return new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]))
}

/**
 * Records when the lead was first found to have no provider within reach. A later match keeps this time. The caller holds
 * its lock.
 */
export async function noteUnreached(trx: Transaction, id: number): Promise<void> {
  await trx('leads').where({ id }).whereNull('unreached_at').update({ unreached_at: trx.fn.now() })
}

/** Records which providers could not take a lead without a provider. The caller holds its lock. */
export async function noteSkipped(trx: Transaction, id: number, skipped: NoMatch['skipped']): Promise<void> {
  await trx('leads')
    .where({ id })
    .update({ match_skipped: skippedColumn(skipped) })
}

/** A new clinic starts without the outcome at the one before. */
const UNANSWERED = { outcome: null, outcome_at: null }

/** Ends the outcome of a lead, which waits for its clinic again. The caller holds its lock. */
export async function reopen(trx: Transaction, id: number): Promise<void> {
  await trx('leads').where({ id }).update(UNANSWERED)
}

export function matchColumns(trx: Transaction, match: Match | NoMatch) {
  const match_skipped = skippedColumn(match.skipped)
  return match.providerId === null
    ? {
        ...UNANSWERED,
        provider_id: null,
        matched_at: null,
        match_kind: null,
        match_distance_miles: null,
        match_skipped,
      }
    : {
        ...UNANSWERED,
        match_skipped,
        provider_id: match.providerId,
        matched_at: trx.fn.now(),
        match_kind: match.kind,
        match_distance_miles: match.miles,
        ...(match.again && { repeat_of: match.again.leadId }),
      }
}

/** Returns the value of the column: pg would write an array as one of PostgreSQL's. */
export function skippedColumn(skipped: Lead['match_skipped'] = null): string | null {
  return skipped && JSON.stringify(skipped)
}

function query(db: Db) {
  return db('leads').select<LeadRow[]>(...COLUMNS, db.raw(ACCEPTANCE_IP))
}

const COLUMNS = Object.keys(Lead.shape).filter((name) => name !== 'acceptance_ip')
/** The address stands in the evidence of the consent only, so that it goes from there when its time is over. */
const ACCEPTANCE_IP = '(select ip from consents where consents.lead_id = leads.id) as acceptance_ip'
type LeadRow = RowWith<'leads', Exclude<keyof Lead, 'acceptance_ip'>> & Pick<Lead, 'acceptance_ip'>

function present<Row extends Pick<LeadRow, 'created_at' | 'matched_at' | 'outcome_at'>>(row: Row) {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    matched_at: row.matched_at?.toISOString() ?? null,
    outcome_at: row.outcome_at?.toISOString() ?? null,
  }
}

export const noSuchLead = () => new AppError('not_found', 'There is no such lead. It may have been deleted.')
