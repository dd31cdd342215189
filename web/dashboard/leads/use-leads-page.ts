import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useCallback, useEffect, useMemo } from 'react'
import { LEADS_PER_PAGE, listLeads } from '../../../core/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { addressOf, EVERY_LEAD, isFiltered, type LeadView, leadAddress, listQuery, viewOf } from './lead-view.ts'

/** What is set aside from the view before is kept. Another filter or order starts on page 1, unless a page is named. */
export type ViewChange = (change: Partial<LeadView>, options?: { replace?: boolean }) => void

/** One page of the leads that are looked for. The feature `live` says when it is out of date. */
function leadsQuery(view: LeadView) {
  const query = listQuery(view)
  return queryOptions({
    queryKey: ['leads', 'list', query],
    queryFn: () => call(listLeads, { query }),
    placeholderData: keepPreviousData,
  })
}

/** The leads as the address asks for them; while another tab is shown, that tab has the address. */
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

  // The last lead of the last page may have been deleted.
  useEffect(() => {
    if (isShown && total !== undefined && view.page > pages) setView({ page: pages }, { replace: true })
  }, [isShown, total, view.page, pages, setView])

  return {
    view,
    setView,
    leads: data?.leads,
    /** The rows are those of the view before, until these are loaded. */
    isStale: isPlaceholderData,
    /** Of those that are looked for, and of all. */
    total: data?.total,
    count,
    pages,
    error,
    isFetching,
    refetch,
  }
}
