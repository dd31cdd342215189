import { toast } from '../../ui/toast.ts'
import { useSignOut } from './api/sign-out.ts'

/** Signs out, and says so if that fails. */
export function useLeave() {
  const signOut = useSignOut()

  function leave() {
    signOut.mutate(undefined, {
      onError: ({ message }) => toast({ variant: 'destructive', title: 'Failed to sign out', description: message }),
    })
  }

  return { leave, isLeaving: signOut.isPending }
}
