import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { LEADS_PER_PAGE, LeadList } from '../../../../core/contract/leads.ts'
import { call } from '../../../lib/http.ts'
import { SECOND } from '../../../lib/time.ts'
import { endpoints } from '../../../paths.ts'

const WHILE_PENDING = 3 * SECOND
const OTHERWISE = 20 * SECOND

export function listLeads(page: number): Promise<LeadList> {
  return call(endpoints.leads({ page, limit: LEADS_PER_PAGE }), { answer: LeadList })
}

/** One page of leads, asked for again quickly while a delivery is under way, and now and then for new leads. */
export function leadsQuery(page: number) {
  return queryOptions({
    queryKey: ['leads', 'list', page],
    queryFn: () => listLeads(page),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && hasPending(state.data) ? WHILE_PENDING : OTHERWISE),
  })
}

export function useLeads(page: number) {
  return useQuery(leadsQuery(page))
}

function hasPending({ leads }: LeadList): boolean {
  return leads.some((lead) => lead.crm_sync_status === 'pending' || lead.email_status === 'pending')
}
