import { eachLeadField } from '../../contract/lead-form.ts'
import type { LeadExportQuery } from '../../leads/contract/leads.ts'
import { inOrder, type LocalFilter, matching } from '../../leads/stores/lead-lists.ts'
import { NO_TESTS } from '../../leads/stores/leads.ts'
import { IS_CURRENT } from '../../leads/stores/outcomes.ts'
import type { Db } from '../../platform/db.ts'
import * as suppressions from '../../privacy/stores/suppressions.ts'
import { readAll } from '../../tables/table.ts'

/** A table for a file: the names of its columns, and its rows, which are read on demand. */
type Export<Column extends string> = {
  columns: readonly Column[]
  rows: AsyncIterable<Record<Column, string | number | null>>
}

/**
 * Returns SQL for a time as local ISO 8601 with its offset, so that the first ten characters are the day:
 * `2026-11-14T23:30:00.000-05:00`.
 */
const time = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM')`

const currentOutcome = (sql: string) =>
  `(select ${sql} from lead_outcomes where ${IS_CURRENT} order by lead_outcomes.id desc limit 1)`

const clock = (column: string) => `(select ${time(column)} from answer_clocks where answer_clocks.lead_id = leads.id)`

/** The columns of a lead: what staff see of it, and the last visit before the form. The names are those of the contract. */
const LEAD_COLUMNS = {
  id: 'id',
  created_at: time('created_at'),
  ...eachLeadField((name) => name),
  provider_id: 'provider_id',
  provider_name: '(select name from providers where providers.id = leads.provider_id)',
  matched_at: time('matched_at'),
  match_kind: 'match_kind',
  match_distance_miles: 'round(match_distance_miles::numeric, 2)::float',
  crm_sync_status: 'crm_sync_status',
  email_status: 'email_status',
  crm_external_id: 'crm_external_id',
  held_reason: 'held_reason',
  outcome: 'outcome',
  outcome_at: time('outcome_at'),
  outcome_reason: currentOutcome('reason'),
  booked_for: currentOutcome('booked_for::text'),
  outcome_value: currentOutcome('round(value_cents / 100.0, 2)::float'),
  first_answer_at: clock('answered_at'),
  answer_due_at: clock('due_at'),
  acceptance_consent: 'acceptance_consent::text',
  acceptance_message: 'acceptance_message',
  landing_page: `attribution #>> '{last,landing_page}'`,
  referrer: `attribution #>> '{last,referrer}'`,
  utm_source: `attribution #>> '{last,utm_source}'`,
  utm_medium: `attribution #>> '{last,utm_medium}'`,
  utm_campaign: `attribution #>> '{last,utm_campaign}'`,
}

/** The columns of a provider, by the names of the specification. */
const PROVIDER_COLUMNS = {
  id: 'id',
  wordpress_id: 'wordpress_id',
  name: 'name',
  practiceName: 'practice_name',
  email: 'email',
  phone: 'phone',
  address: 'address',
  zipCode: 'zip_code',
  website: 'website',
  status: `case status when 't' then 'Active' else 'Inactive' end`,
  leadCount: 'coalesce(leads, 0)::integer',
}

type LeadColumn = keyof typeof LEAD_COLUMNS | 'do_not_contact'

/**
 * Exports the leads that match, in the order of the list. `do_not_contact` says whether the person asked not to be
 * contacted.
 * @param key of the purpose `person-hash`
 */
export function leads(db: Db, { sort, ...filter }: LeadExportQuery & LocalFilter, key: Buffer): Export<LeadColumn> {
  const rows = readAll<Record<keyof typeof LEAD_COLUMNS, string>>(
    db,
    (trx) => inOrder(matching(trx, filter).select(columnsOf(trx, LEAD_COLUMNS)), sort),
    filter.timeZone,
  )
  return { columns: [...keysOf(LEAD_COLUMNS), 'do_not_contact'], rows: marked() }

  async function* marked() {
    const isSuppressed = await suppressions.readAll(db, key)
    for await (const row of rows) yield { ...row, do_not_contact: String(isSuppressed(row)) }
  }
}

/** Exports all providers, or the active or the inactive ones, by name. */
export function providers(db: Db, status?: 'active' | 'inactive'): Export<keyof typeof PROVIDER_COLUMNS> {
  const rows = readAll<never>(db, (trx) => {
    const counts = trx('leads')
      .select('provider_id', trx.raw('count(*) as leads'))
      .whereRaw(NO_TESTS)
      .groupBy('provider_id')
    const query = trx('providers')
      .select(columnsOf(trx, PROVIDER_COLUMNS))
      .leftJoin(counts.as('counts'), 'counts.provider_id', 'providers.id')
      .orderBy(['name', 'id'])
    return status ? query.where('status', status === 'active' ? 't' : 'f') : query
  })
  return { columns: keysOf(PROVIDER_COLUMNS), rows }
}

const columnsOf = (db: Db, columns: Record<string, string>) =>
  Object.entries(columns).map(([name, sql]) => db.raw(`${sql} as ??`, [name]))

const keysOf = <Column extends string>(columns: Record<Column, string>) => Object.keys(columns) as Column[]
