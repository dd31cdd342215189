import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type PasswordChange, Session } from '../../../../core/contract/session.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'
import { storeSession } from './get-session.ts'

export function changePassword(body: z.output<typeof PasswordChange>): Promise<Session> {
  return call(staffEndpoints.password, { method: 'POST', body, answer: Session })
}

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: changePassword,
    onSuccess: (session) => {
      storeSession(client, session)
      // The other sessions have ended.
      return client.invalidateQueries({ queryKey: ['staff', 'sessions'] })
    },
  })
}
