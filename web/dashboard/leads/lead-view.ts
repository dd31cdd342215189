import { createParser, createSerializer, parseAsStringLiteral, type inferParserType as Values } from 'nuqs'
import {
  LEADS_PER_PAGE,
  type LeadExportQuery,
  LeadFilter,
  type LeadListQuery,
  LeadSort,
} from '../../../core/leads/contract/leads.ts'
import { parseAsPage } from '../address.ts'

/** The filter, order and page of the list. The address holds them, named as in the API. */
export type LeadView = { filter: LeadFilter; sort: LeadSort; page: number }

const NEWEST_FIRST: LeadSort = '-created_at'
export const EVERY_LEAD: LeadView = { filter: {}, sort: NEWEST_FIRST, page: 1 }

const FILTERS = Object.keys(LeadFilter.shape) as (keyof LeadFilter)[]

/** Reads a filter as the API does. Values that the API would refuse count as absent. */
function parserOf(name: keyof LeadFilter) {
  return createParser({
    parse: (text): LeadFilter[keyof LeadFilter] | null => LeadFilter.shape[name].safeParse(text).data ?? null,
    serialize: String,
  })
}

/** The search parameters of the tab. */
export const leadAddress = {
  ...(Object.fromEntries(FILTERS.map((name) => [name, parserOf(name)])) as Record<
    keyof LeadFilter,
    ReturnType<typeof parserOf>
  >),
  sort: parseAsStringLiteral(LeadSort.options).withDefault(NEWEST_FIRST),
  page: parseAsPage,
}
type LeadAddress = Values<typeof leadAddress>

export function viewOf({ sort, page, ...filter }: LeadAddress): LeadView {
  const conditions = Object.entries(filter).filter(([, value]) => value !== null)
  return { filter: Object.fromEntries(conditions), sort, page }
}

export function addressOf({ filter, sort, page }: LeadView): LeadAddress {
  const conditions = Object.fromEntries(FILTERS.map((name) => [name, filter[name] ?? null]))
  return { ...(conditions as Record<keyof LeadFilter, LeadAddress[keyof LeadFilter]>), sort, page }
}

const serialize = createSerializer(leadAddress)

/** Returns the query of the page that shows the first page of a view. */
export function searchOfView({ filter, sort }: Pick<LeadView, 'filter' | 'sort'>): string {
  return serialize(new URLSearchParams({ tab: 'leads' }), addressOf({ filter, sort, page: 1 }))
}

export const SORT_WORDS: Record<LeadSort, string> = {
  '-created_at': 'Latest first',
  created_at: 'Earliest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  zip_code: 'Zip code, up',
  '-zip_code': 'Zip code, down',
  provider: 'Provider, A to Z',
  '-provider': 'Provider, Z to A',
  crm: 'CRM: failed first',
  '-crm': 'CRM: success first',
  clinic: 'Clinic: not reached first',
  '-clinic': 'Clinic: reached first',
  outcome: 'Outcome: none first',
  '-outcome': 'Outcome: none last',
  source: 'Source, A to Z',
  '-source': 'Source, Z to A',
}

/** The query of `listLeads`. */
export function listQuery({ filter, sort, page }: LeadView, limit = LEADS_PER_PAGE): LeadListQuery {
  return { page, limit, sort, ...filter }
}

/** The query of `exportLeads`. */
export function exportQuery({ filter, sort }: LeadView): LeadExportQuery {
  return { sort, ...filter }
}

export function isFiltered({ filter }: LeadView): boolean {
  return Object.keys(filter).length > 0
}
