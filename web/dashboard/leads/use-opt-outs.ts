import { useQuery } from '@tanstack/react-query'
import { listOptOuts } from '../../../core/contract/opt-outs.ts'
import { call } from '../../lib/call.ts'

/** Returns the overdue confirmations of clinics, and the newest suppressions. */
export function useOptOuts() {
  return useQuery({
    queryKey: ['leads', 'opt-outs'],
    queryFn: () => call(listOptOuts),
  })
}
