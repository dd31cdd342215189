import { useMutation, useQueryClient } from '@tanstack/react-query'
import { signOut } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast.ts'
import { forget } from './auth-storage.ts'
import { storeSession } from './session.ts'

/** Returns a function that signs out and reports a failure. */
export function useLeave() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(signOut),
    onSuccess: (session) => {
      forget()
      storeSession(client, session)
    },
    onError: ({ message }) => toast({ variant: 'destructive', title: 'Failed to sign out', description: message }),
  })
  return { leave: () => mutate(), isLeaving: isPending }
}
