import { queryOptions, useQuery } from '@tanstack/react-query'
import { type StaffAccount, StaffList } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'

export async function listStaff(): Promise<StaffAccount[]> {
  return (await call(staffEndpoints.staff, { answer: StaffList })).staff
}

/** Others sign in at any time, so it is asked for whenever it is shown. */
export const staffQuery = queryOptions({ queryKey: ['staff', 'list'], queryFn: listStaff, refetchOnMount: 'always' })

/** Only managers may ask. */
export function useStaff({ enabled }: { enabled: boolean }) {
  return useQuery({ ...staffQuery, enabled })
}
