import { queryOptions, useQuery } from '@tanstack/react-query'
import { Ledger } from '../../../../core/contract/jobs.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

/** The delivery ledger of a lead. */
export function leadJobsQuery(leadId: number) {
  return queryOptions({
    queryKey: ['leads', 'jobs', leadId],
    queryFn: () => call(endpoints.leadJobs(leadId), { answer: Ledger }),
    // What was seen earlier is shown at once, and is asked for again whenever a lead is opened.
    staleTime: 0,
  })
}

export function useLeadJobs(leadId: number) {
  return useQuery(leadJobsQuery(leadId))
}
