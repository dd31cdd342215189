import { useRef } from 'react'
import type { Person } from '../../../core/contract/session.ts'
import { CloseButton } from '../../ui/close-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PasswordChangeForm } from './password-change-form.tsx'

export function ChangePasswordDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()

  return (
    <Dialog
      dialog={dialog}
      title="Change password"
      className="w-md max-w-full p-6"
      corner={<CloseButton onClick={close} />}
      onClose={onClose}
    >
      <p className="mt-1 text-quiet">You will be signed out in other browsers.</p>
      <PasswordChangeForm email={person.email} onDone={close} />
    </Dialog>
  )
}
