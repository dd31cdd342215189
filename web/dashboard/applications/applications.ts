import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import {
  APPLICATIONS_PER_PAGE,
  ApplicationStatus,
  listApplications,
} from '../../../core/applications/contract/applications.ts'
import { call } from '../../lib/call.ts'
import { parseAsPage } from '../address.ts'

const address = { page: parseAsPage, status: parseAsStringLiteral(ApplicationStatus.options) }
const names = { page: 'applications-page', status: 'applications-status' }

/** Returns a page of applications, newest first, of all statuses or of one, from the address. */
export function useApplicationsPage() {
  const [{ page, status }, change] = useQueryStates(address, { urlKeys: names, history: 'replace' })
  const query = useQuery({
    queryKey: ['applications', 'list', page, status],
    queryFn: () =>
      call(listApplications, { query: { page, limit: APPLICATIONS_PER_PAGE, status: status ?? undefined } }),
    placeholderData: keepPreviousData,
  })
  const counts = query.data?.counts
  const count = counts && Object.values(counts).reduce((sum, each) => sum + each, 0)
  return { query, page, status, change, counts, count }
}
