import { useQuery } from '@tanstack/react-query'
import { listStaff } from '../../../core/contract/staff.ts'
import { call } from '../../lib/call.ts'

/** Returns the accounts and the state of the shared password. Requires a manager. */
export function useStaff({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['staff', 'list'],
    queryFn: () => call(listStaff),
    // Others sign in at any time, so it is read again whenever it is shown.
    refetchOnMount: 'always',
    enabled,
  })
}
