import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Session } from '../../../../core/contract/session.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'
import { forget } from '../auth-storage.ts'
import { storeSession } from './get-session.ts'

export function signOut(): Promise<Session> {
  return call(endpoints.session, { method: 'DELETE', answer: Session })
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: signOut,
    onSuccess: (session) => {
      forget()
      storeSession(client, session)
    },
  })
}
