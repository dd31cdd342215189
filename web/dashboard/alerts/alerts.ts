import { useQuery } from '@tanstack/react-query'
import { listAlerts } from '../../../core/contract/alerts.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'

/** The key of the query of channels and open alerts. */
export const ALERTS = 'alerts'

/** A worker looks once a minute. */
const REFRESH_INTERVAL = 30 * SECOND

export function useAlerts() {
  return useQuery({ queryKey: [ALERTS], queryFn: () => call(listAlerts), refetchInterval: REFRESH_INTERVAL })
}
