import { queryOptions, useQuery } from '@tanstack/react-query'
import { LeadDetails } from '../../../../core/contract/leads.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

export function getLead(id: number): Promise<LeadDetails> {
  return call(endpoints.lead(id), { answer: LeadDetails })
}

/** What was seen earlier is shown at once, and is asked for again whenever a lead is opened. */
export function leadQuery(id: number) {
  return queryOptions({ queryKey: ['leads', 'details', id], queryFn: () => getLead(id), staleTime: 0 })
}

export function useLead(id: number) {
  return useQuery(leadQuery(id))
}
