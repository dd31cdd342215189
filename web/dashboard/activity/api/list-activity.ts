import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { AUDIT_LINES_PER_PAGE, AuditLog } from '../../../../core/contract/audit-log.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'

/** The query of the call, but for the length of a page. */
export type Wanted = Record<string, string>

export function listActivity(wanted: Wanted): Promise<AuditLog> {
  return call(staffEndpoints.auditLog({ ...wanted, limit: String(AUDIT_LINES_PER_PAGE) }), { answer: AuditLog })
}

/** What the page before showed stays in sight while the next one is loaded. */
export function activityQuery(wanted: Wanted) {
  return queryOptions({
    queryKey: ['audit-log', wanted],
    queryFn: () => listActivity(wanted),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

export function useActivity(wanted: Wanted) {
  return useQuery(activityQuery(wanted))
}
