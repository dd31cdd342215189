import { useQuery } from '@tanstack/react-query'
import { listStaff } from '../../../core/contract/staff.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'

/** The refetch interval while an e-mail is being sent, in milliseconds. */
const SENDING_INTERVAL = 3 * SECOND

/** Returns the accounts and the state of the shared password. Requires a manager. */
export function useStaff({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['staff', 'list'],
    queryFn: () => call(listStaff),
    // Others sign in at any time, so it is read again whenever it is shown.
    refetchOnMount: 'always',
    enabled,
    refetchInterval: ({ state: { data } }) =>
      data?.staff.some(({ link }) => link?.state === 'sending' || link?.state === 'retrying') && SENDING_INTERVAL,
  })
}
