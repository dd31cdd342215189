import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import {
  APPLICATIONS_PER_PAGE,
  ApplicationList,
  type ApplicationStatus,
} from '../../../../core/contract/applications.ts'
import { call } from '../../../lib/http.ts'
import { SECOND } from '../../../lib/time.ts'
import { endpoints } from '../../../paths.ts'

const WHILE_PENDING = 3 * SECOND
const OTHERWISE = 20 * SECOND

/** A page of applications; of all, or of one status. */
type Wanted = { page: number; status?: ApplicationStatus }

export function listApplications(wanted: Wanted): Promise<ApplicationList> {
  return call(endpoints.applications({ ...wanted, limit: APPLICATIONS_PER_PAGE }), { answer: ApplicationList })
}

/** Asked for again quickly while an e-mail is under way, and now and then for new applications. */
export function applicationsQuery({ page, status }: Wanted) {
  return queryOptions({
    queryKey: ['applications', 'list', page, status],
    queryFn: () => listApplications({ page, status }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && hasPending(state.data) ? WHILE_PENDING : OTHERWISE),
  })
}

export function useApplications(wanted: Wanted) {
  return useQuery(applicationsQuery(wanted))
}

function hasPending({ applications }: ApplicationList): boolean {
  return applications.some(({ email_status }) => email_status === 'pending')
}
