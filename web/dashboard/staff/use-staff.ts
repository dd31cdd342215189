import { useQuery } from '@tanstack/react-query'
import { listStaff } from '../../../core/contract/staff.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'

/** How often the list is read while an e-mail is on its way, in milliseconds. */
const WHILE_SENDING = 3 * SECOND

/** The accounts, and how the shared password stands. Only managers may ask. */
export function useStaff({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['staff', 'list'],
    queryFn: () => call(listStaff),
    // Others sign in at any time, so it is asked for whenever it is shown.
    refetchOnMount: 'always',
    enabled,
    refetchInterval: ({ state: { data } }) =>
      data?.staff.some(({ link }) => link?.state === 'sending' || link?.state === 'retrying') && WHILE_SENDING,
  })
}
