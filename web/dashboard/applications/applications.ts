import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useEffect } from 'react'
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
  const [wanted, setWanted] = useQueryStates(address, { urlKeys: names, history: 'replace' })
  const { page } = wanted
  const status = wanted.status ?? undefined
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['applications', 'list', page, status],
    queryFn: () => call(listApplications, { query: { page, limit: APPLICATIONS_PER_PAGE, status } }),
    placeholderData: keepPreviousData,
  })
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / APPLICATIONS_PER_PAGE))
  const setPage = (next: number) => void setWanted({ page: next })

  // The last page may have become empty by a deletion or a change of status.
  useEffect(() => {
    if (data && page > pages) void setWanted({ page: pages })
  }, [data, page, pages, setWanted])

  return {
    applications: data?.applications,
    total: data?.total,
    counts: data?.counts,
    /** The number of applications of every status. */
    count: data && Object.values(data.counts).reduce((sum, count) => sum + count, 0),
    error,
    isFetching,
    retry: () => void refetch(),
    page,
    pages,
    setPage,
    status,
    setStatus: (next: ApplicationStatus | undefined) => void setWanted({ page: null, status: next ?? null }),
  }
}
