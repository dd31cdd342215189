import { queryOptions, useQuery } from '@tanstack/react-query'
import { StaffSettings } from '../../core/contract/settings.ts'
import { endpoints } from '../paths.ts'
import { call } from './http.ts'

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => call(endpoints.settings, { answer: StaffSettings }),
})

/** How Leadwell is set up, for those who are signed in. */
export function useSettings() {
  return useQuery(settingsQuery)
}
