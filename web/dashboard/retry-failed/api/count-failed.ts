import { useQuery } from '@tanstack/react-query'
import { FailedJobCount, type JobName } from '../../../../core/contract/jobs.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

/** Which failures: since an ISO time, of one kind or of all. */
export type Failures = { since: string; name?: JobName }

/** How many deliveries have failed since, and were not retried. */
export function useFailedCount(failures: Failures) {
  return useQuery({
    queryKey: ['failed-jobs', failures],
    queryFn: () => call(endpoints.failedJobs(failures), { answer: FailedJobCount }),
    staleTime: 0,
  })
}
