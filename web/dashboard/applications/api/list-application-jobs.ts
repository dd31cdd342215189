import { queryOptions, useQuery } from '@tanstack/react-query'
import { Ledger } from '../../../../core/contract/jobs.ts'
import { call } from '../../../lib/http.ts'
import { SECOND } from '../../../lib/time.ts'
import { endpoints } from '../../../paths.ts'
import { isOpen } from '../../../shared/deliveries/job-labels.ts'

/** The delivery ledger of an application, asked for again while something in it is open. */
export function applicationJobsQuery(id: number) {
  return queryOptions({
    queryKey: ['applications', 'jobs', id],
    queryFn: () => call(endpoints.applicationJobs(id), { answer: Ledger }),
    // What was seen earlier is shown at once, and is asked for again whenever an application is opened.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.jobs.some(isOpen) ? 2 * SECOND : false),
  })
}

export function useApplicationJobs(id: number) {
  return useQuery(applicationJobsQuery(id))
}
