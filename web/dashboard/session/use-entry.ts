import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Session } from '../../../core/contract/session.ts'
import { remember } from './auth-storage.ts'
import { storeSession } from './session.ts'

/** Returns the mutation of a step of a sign-in, which stores the session that the step answers. */
export function useEntry<Input = void>(enter: (input: Input) => Promise<Session>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: enter,
    onSuccess: (session) => {
      if (session.authenticated) remember()
      storeSession(client, session)
    },
  })
}
