import { queryOptions, useQuery } from '@tanstack/react-query'
import { StaffSettings } from '../../../../core/contract/settings.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

export function getSettings(): Promise<StaffSettings> {
  return call(endpoints.settings, { answer: StaffSettings })
}

export const settingsQuery = queryOptions({ queryKey: ['settings'], queryFn: getSettings })

export function useSettings() {
  return useQuery(settingsQuery)
}
