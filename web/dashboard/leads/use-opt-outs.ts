import { useQuery } from '@tanstack/react-query'
import { listOptOuts } from '../../../core/contract/opt-outs.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'

/** A confirmation becomes overdue without an event. */
const REFETCH_INTERVAL = 300 * SECOND

/** Returns the overdue confirmations of clinics, and the newest suppressions. */
export function useOptOuts() {
  return useQuery({
    queryKey: ['leads', 'opt-outs'],
    queryFn: () => call(listOptOuts),
    refetchInterval: REFETCH_INTERVAL,
  })
}
