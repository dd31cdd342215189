import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import {
  createParser,
  createSerializer,
  parseAsStringLiteral,
  useQueryStates,
  type inferParserType as Values,
} from 'nuqs'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import {
  getLead,
  LEADS_PER_PAGE,
  type LeadExportQuery,
  LeadFilter,
  LeadSort,
  type ListedLead,
  listLeads,
} from '../../../core/leads/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { pagesOf } from '../../ui/pager.tsx'
import { parseAsPage, useLinkTo, useOpenBeside } from '../address.ts'

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

export function searchOfView({ filter, sort }: Pick<LeadView, 'filter' | 'sort'>): string {
  return serialize(new URLSearchParams({ tab: 'leads' }), addressOf({ filter, sort, page: 1 }))
}

/** The orders that a narrow screen offers: it has no column heads. */
export const SORT_WORDS: Record<string, string> = {
  '-created_at': 'Latest first',
  created_at: 'Earliest first',
  name: 'Name',
  zip_code: 'Zip code',
  provider: 'Provider',
  crm: 'CRM: failed first',
  clinic: 'Email: not delivered first',
  outcome: 'Outcome: none first',
  source: 'Source',
}

export function exportQuery({ filter, sort }: LeadView): LeadExportQuery {
  return { sort, ...filter }
}

export function isFiltered({ filter }: LeadView): boolean {
  return Object.keys(filter).length > 0
}

/** Changes the view; omitted parts stay. A new filter or order starts on page 1 unless a page is given. */
export type ViewChange = (change: Partial<LeadView>, options?: { replace?: boolean }) => void

/** Returns the query of a page of leads. The feature `live` invalidates it. */
function leadsQuery({ filter, sort, page }: LeadView) {
  const query = { page, limit: LEADS_PER_PAGE, sort, ...filter }
  return queryOptions({
    queryKey: ['leads', 'list', query],
    queryFn: () => call(listLeads, { query }),
    placeholderData: keepPreviousData,
  })
}

/** Returns the leads of the view in the address, or every lead while another tab is shown, which owns the address. */
export function useLeadsPage({ isShown }: { isShown: boolean }) {
  const [address, setAddress] = useQueryStates(leadAddress)
  const view = useMemo(() => (isShown ? viewOf(address) : EVERY_LEAD), [isShown, address])
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(leadsQuery(view))
  const total = isPlaceholderData ? undefined : data?.total
  const pages = pagesOf(data?.total ?? 0, LEADS_PER_PAGE)

  const { data: everyLead } = useQuery({ ...leadsQuery(EVERY_LEAD), enabled: isFiltered(view) })
  const count = isFiltered(view) ? everyLead?.total : data?.total

  const setView: ViewChange = useCallback(
    (change, { replace } = {}) => {
      const history = replace ? 'replace' : 'push'
      void setAddress((now) => addressOf({ ...viewOf(now), page: 1, ...change }), { history })
    },
    [setAddress],
  )

  // The last page may have become empty by a deletion.
  useEffect(() => {
    if (isShown && total !== undefined && view.page > pages) setView({ page: pages }, { replace: true })
  }, [isShown, total, view.page, pages, setView])

  return {
    view,
    setView,
    leads: data?.leads,
    isStale: isPlaceholderData,
    total: data?.total,
    count,
    pages,
    error,
    isFetching,
    refetch,
  }
}

export function useOpenLead() {
  const beside = useOpenBeside('lead', (id) => `tr[data-lead="${id}"]`)
  const linkTo = useLinkTo()
  // Made once for all rows.
  const rest = linkTo({ lead: null })
  const searchOf = (id: number) => `${rest === '' ? '?' : `${rest}&`}lead=${id}`

  return { ...beside, searchOf }
}
export type OpenLead = ReturnType<typeof useOpenLead>

/** Returns the query of a lead. The cached lead is shown at once and read again whenever it is opened. */
export function leadQuery(id: number) {
  return queryOptions({
    queryKey: ['leads', 'details', id],
    queryFn: () => call(getLead, { params: { id } }),
    staleTime: 0,
  })
}

/**
 * Returns the rows of the table. Leads that are being retried keep their places although the filter no longer finds them.
 * @param leads as the server lists them; undefined until they are loaded, or while they belong to another view
 * @param view a key of filter, order and page
 */
export function useShownRows(leads: ListedLead[] | undefined, view: string, isKept: (id: number) => boolean) {
  const before = useRef<{ view: string; rows: ListedLead[] }>({ view, rows: [] })
  const rows = leads && [...leads]
  if (rows && before.current.view === view) {
    for (const [position, row] of before.current.rows.entries()) {
      if (isKept(row.id) && !leads.some(({ id }) => id === row.id)) rows.splice(position, 0, row)
    }
  }
  useEffect(() => {
    if (rows) before.current = { view, rows }
  })
  return rows
}
