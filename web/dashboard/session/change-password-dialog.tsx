import type { Person } from '../../../core/contract/session.ts'
import { CloseButton } from '../../ui/close-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PasswordChangeForm } from './password-change-form.tsx'

export function ChangePasswordDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  return (
    <Dialog
      title="Change password"
      className="w-md max-w-full p-6"
      corner={<CloseButton onClick={onClose} />}
      onClose={onClose}
    >
      <p className="mt-1 text-quiet">You will be signed out in other browsers.</p>
      <PasswordChangeForm email={person.email} onDone={onClose} />
    </Dialog>
  )
}
