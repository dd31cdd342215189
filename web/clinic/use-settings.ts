import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { InputOf } from '../../core/contract/call.ts'
import { changeClinicSettings, getClinicSettings } from '../../core/providers/contract/clinic.ts'
import { call } from '../lib/call.ts'

/** The key of the session, which has the time zone. */
export const CLINIC_SESSION = ['clinic-session']
export const SETTINGS = ['clinic-settings']

/** Reads the settings of the clinic. */
export function useSettings() {
  return useQuery({ queryKey: SETTINGS, queryFn: () => call(getClinicSettings) })
}

/** Returns a mutation that changes settings, and shows the answer at once. */
export function useSettingsChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<typeof changeClinicSettings>) => call(changeClinicSettings, input),
    onSuccess: (settings) => {
      client.setQueryData(SETTINGS, settings)
      // It has the time zone of the clinic.
      void client.invalidateQueries({ queryKey: CLINIC_SESSION })
    },
  })
}
