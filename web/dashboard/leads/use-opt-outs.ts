import { useQuery } from '@tanstack/react-query'
import { listOptOuts } from '../../../core/contract/opt-outs.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'

/** A clinic becomes overdue without anything happening. */
const LOOK_AGAIN = 300 * SECOND

/** The clinics that are overdue, and the newest suppressions. */
export function useOptOuts() {
  return useQuery({
    queryKey: ['leads', 'opt-outs'],
    queryFn: () => call(listOptOuts),
    refetchInterval: LOOK_AGAIN,
  })
}
