import {
  LEADS_PER_PAGE,
  type LeadExportQuery,
  LeadFilter,
  type LeadListQuery,
  LeadSort,
} from '../../../core/contract/leads.ts'
import { parseId } from '../../lib/ids.ts'

/** Which leads are looked at, in which order. All of it is in the page's address, in the API's own names. */
export type LeadView = { filter: LeadFilter; sort: LeadSort; page: number }

const NEWEST_FIRST: LeadSort = '-created_at'
export const EVERY_LEAD: LeadView = { filter: {}, sort: NEWEST_FIRST, page: 1 }

const FILTERS = Object.keys(LeadFilter.shape) as (keyof LeadFilter)[]

/** What an address asks for. What makes no sense in it is as good as not there. */
export function readView(address: URLSearchParams): LeadView {
  const conditions = FILTERS.flatMap((name) => {
    const { data } = LeadFilter.shape[name].safeParse(address.get(name) ?? undefined)
    return data === undefined ? [] : [[name, data]]
  })
  return {
    filter: Object.fromEntries(conditions),
    sort: LeadSort.catch(NEWEST_FIRST).parse(address.get('sort')),
    page: parseId(address.get('page')) ?? 1,
  }
}

/** The same address, asking for this view. */
export function writeView(address: URLSearchParams, { filter, sort, page }: LeadView): URLSearchParams {
  const written = new URLSearchParams(address)
  for (const name of [...FILTERS, 'sort', 'page']) written.delete(name)
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) written.set(name, String(value))
  }
  if (sort !== NEWEST_FIRST) written.set('sort', sort)
  if (page > 1) written.set('page', String(page))
  return written
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
