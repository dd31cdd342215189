import { queryOptions, useQuery } from '@tanstack/react-query'
import { getSettings } from '../../core/contract/settings.ts'
import { call } from './call.ts'

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => call(getSettings),
})

/** How Leadwell is set up, for those who are signed in. */
export function useSettings() {
  return useQuery(settingsQuery)
}
