import { queryOptions, useQuery } from '@tanstack/react-query'
import { StaffList } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { SECOND } from '../../../lib/time.ts'
import { staffEndpoints } from '../../../paths.ts'

/** How often the list is read while an e-mail is on its way, in milliseconds. */
const WHILE_SENDING = 3 * SECOND

export function listStaff(): Promise<StaffList> {
  return call(staffEndpoints.staff, { answer: StaffList })
}

/** Others sign in at any time, so it is asked for whenever it is shown. */
export const staffQuery = queryOptions({ queryKey: ['staff', 'list'], queryFn: listStaff, refetchOnMount: 'always' })

/** The accounts, and how the shared password stands. Only managers may ask. */
export function useStaff({ enabled }: { enabled: boolean }) {
  return useQuery({
    ...staffQuery,
    enabled,
    refetchInterval: ({ state: { data } }) =>
      data?.staff.some(({ link }) => link?.state === 'sending' || link?.state === 'retrying') && WHILE_SENDING,
  })
}
