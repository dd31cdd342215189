import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { useSession } from './api/get-session.ts'
import { useSignOut } from './api/sign-out.ts'

/** Shown to those who came in with the password; an open dashboard has nothing to sign out of. */
export function SignOutButton() {
  const session = useSession({ enabled: true })
  const signOut = useSignOut()
  if (session.data?.access !== 'password') return null

  function leave() {
    signOut.mutate(undefined, {
      onError: ({ message }) => toast({ variant: 'destructive', title: 'Failed to sign out', description: message }),
    })
  }

  return (
    <Button variant="outline" size="small" busy={signOut.isPending} onClick={leave}>
      Sign out
    </Button>
  )
}
