import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Login, Session } from '../../../../core/contract/session.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'
import { remember } from '../auth-storage.ts'
import { storeSession } from './get-session.ts'

export function signIn(body: z.output<typeof Login>): Promise<Session> {
  return call(endpoints.session, { method: 'POST', body, answer: Session })
}

export function useSignIn() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: signIn,
    onSuccess: (session) => {
      if (session.authenticated) remember()
      storeSession(client, session)
    },
  })
}
