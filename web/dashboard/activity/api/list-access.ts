import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ACCESS_LINES_PER_PAGE, AccessLog } from '../../../../core/contract/access-log.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'

/** One page of the access log. What the page before showed stays in sight while the next one is loaded. */
export function useAccessLog(wanted: Record<string, string>) {
  return useQuery({
    queryKey: ['access-log', wanted],
    queryFn: () =>
      call(staffEndpoints.accessLog({ ...wanted, limit: String(ACCESS_LINES_PER_PAGE) }), { answer: AccessLog }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}
