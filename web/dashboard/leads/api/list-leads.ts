import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { LeadList } from '../../../../core/contract/leads.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'
import { EVERY_LEAD, type LeadView, listQuery } from '../lead-view.ts'

export function listLeads(query: string): Promise<LeadList> {
  return call(endpoints.leads(query), { answer: LeadList })
}

/** One page of the leads that are looked for. The feature `live` says when it is out of date. */
export function leadsQuery(view: LeadView) {
  const query = listQuery(view)
  return queryOptions({
    queryKey: ['leads', 'list', query],
    queryFn: () => listLeads(query),
    placeholderData: keepPreviousData,
  })
}

export function useLeads(view: LeadView) {
  return useQuery(leadsQuery(view))
}

/** How many leads there are, whatever is looked for. Asked for only if `enabled`. */
export function useLeadCount({ enabled }: { enabled: boolean }) {
  const { data } = useQuery({ ...leadsQuery(EVERY_LEAD), enabled })
  return data?.total
}
