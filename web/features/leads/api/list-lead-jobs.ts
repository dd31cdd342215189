import { queryOptions, useQuery } from '@tanstack/react-query'
import { Ledger, type LedgerJob } from '../../../../core/contract/jobs.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

export async function listLeadJobs(leadId: number): Promise<LedgerJob[]> {
  const { jobs } = await call(endpoints.leadJobs(leadId), { answer: Ledger })
  return jobs
}

/** The delivery ledger of a lead. */
export function leadJobsQuery(leadId: number) {
  return queryOptions({
    queryKey: ['leads', 'jobs', leadId],
    queryFn: () => listLeadJobs(leadId),
    // What was seen earlier is shown at once, and is asked for again whenever a lead is opened.
    staleTime: 0,
  })
}

export function useLeadJobs(leadId: number) {
  return useQuery(leadJobsQuery(leadId))
}
