import { queryOptions, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { LeadJob } from '../../../../core/contract/jobs.ts'
import { call } from '../../../lib/http.ts'
import { SECOND } from '../../../lib/time.ts'
import { endpoints } from '../../../paths.ts'

const LeadJobs = z.object({ jobs: z.array(LeadJob) })

export async function listLeadJobs(leadId: number): Promise<LeadJob[]> {
  const { jobs } = await call(endpoints.leadJobs(leadId), { answer: LeadJobs })
  return jobs
}

/** The delivery ledger of a lead, asked for again while something in it is open. */
export function leadJobsQuery(leadId: number) {
  return queryOptions({
    queryKey: ['leads', 'jobs', leadId],
    queryFn: () => listLeadJobs(leadId),
    // What was seen earlier is shown at once, and is asked for again whenever a lead is opened.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? 2 * SECOND : false),
  })
}

export function useLeadJobs(leadId: number) {
  return useQuery(leadJobsQuery(leadId))
}

function isOpen({ state }: LeadJob): boolean {
  return state === 'waiting' || state === 'enqueued'
}
