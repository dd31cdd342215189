import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { useSignOut } from './api/sign-out.ts'
import { useIsRemembered } from './auth-storage.ts'

/** Shown to those who came in with the password; an open dashboard has nothing to sign out of. */
export function SignOutButton() {
  const isRemembered = useIsRemembered()
  const signOut = useSignOut()
  if (!isRemembered) return null

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
