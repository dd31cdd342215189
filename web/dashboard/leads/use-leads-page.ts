import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useQueryState, useQueryStates } from 'nuqs'
import { useCallback, useEffect, useMemo } from 'react'
import { LEADS_PER_PAGE, listLeads } from '../../../core/leads/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { place, useFocusAfter, useLinkTo } from '../address.ts'
import { addressOf, EVERY_LEAD, isFiltered, type LeadView, leadAddress, listQuery, viewOf } from './lead-view.ts'

/** Changes the view; omitted parts stay. A new filter or order starts on page 1 unless a page is given. */
export type ViewChange = (change: Partial<LeadView>, options?: { replace?: boolean }) => void

/** Returns the query of a page of leads. The feature `live` invalidates it. */
function leadsQuery(view: LeadView) {
  const query = listQuery(view)
  return queryOptions({
    queryKey: ['leads', 'list', query],
    queryFn: () => call(listLeads, { query }),
    placeholderData: keepPreviousData,
  })
}

/**
 * Returns the leads of the view in the address. While another tab is shown, the address is that tab's, and the last
 * view stays.
 */
export function useLeadsPage({ isShown }: { isShown: boolean }) {
  const [address, setAddress] = useQueryStates(leadAddress)
  const view = useMemo(() => (isShown ? viewOf(address) : EVERY_LEAD), [isShown, address])
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(leadsQuery(view))
  const total = isPlaceholderData ? undefined : data?.total
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / LEADS_PER_PAGE))

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
    /** Whether the rows are still those of the previous view. */
    isStale: isPlaceholderData,
    /** The numbers of leads of this view and of all. */
    total: data?.total,
    count,
    pages,
    error,
    isFetching,
    refetch,
  }
}

/** Returns the lead that is open beside the list, from the address, and functions that open and close one. */
export function useOpenLead() {
  const [lead, setLead] = useQueryState('lead', place.lead)
  const openId = lead ?? undefined
  const linkTo = useLinkTo()
  useFocusAfter(openId, (id) => `tr[data-lead="${id}"]`)

  // Made once for all rows.
  const rest = linkTo({ lead: null })
  /** Returns the query of the link that opens a lead. */
  const searchOf = (id: number) => `${rest === '' ? '?' : `${rest}&`}lead=${id}`

  // Switching between leads replaces the history entry; Back then closes the lead.
  const history = openId === undefined ? 'push' : 'replace'
  const open = useCallback((id: number) => void setLead(id, { history }), [setLead, history])

  const close = useCallback(() => void setLead(null), [setLead])

  return { openId, searchOf, open, close }
}
export type OpenLead = ReturnType<typeof useOpenLead>
