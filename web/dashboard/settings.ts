import { queryOptions, useQuery } from '@tanstack/react-query'
import { getSettings } from '../../core/conditions/contract/integrations.ts'
import { call } from '../lib/call.ts'

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => call(getSettings),
})

/** Returns the settings that the dashboard needs. Requires a session. */
export function useSettings() {
  return useQuery(settingsQuery)
}
