import { useRef, useState } from 'react'
import type { StaffAccount } from '../../../core/contract/staff.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useResetPassword } from './api/reset-password.ts'
import { InvitationWords } from './invitation-words.tsx'

/** Asks first; then shows the new password. */
export function ResetPasswordButton({ account }: { account: StaffAccount }) {
  const [isAsking, setAsking] = useState(false)
  const reset = useResetPassword()
  const dialog = useRef<HTMLDialogElement>(null)
  const stopAsking = () => setAsking(false)

  return (
    <>
      <Button variant="outline" size="small" onClick={() => setAsking(true)}>
        Reset password
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Reset this password?"
          confirmLabel="Reset password"
          busy={reset.isPending}
          onConfirm={() => reset.mutate(account.id, { onSettled: stopAsking })}
          onClose={stopAsking}
        >
          The password of {account.name} stops working, and their sessions end. You get a new one to hand over.
        </ConfirmDialog>
      )}
      {reset.data && (
        <Dialog dialog={dialog} title="New password" className="w-lg max-w-full p-6" onClose={reset.reset}>
          <InvitationWords invitation={reset.data} onDone={() => dialog.current?.close()} />
        </Dialog>
      )}
    </>
  )
}
