import { CloseButton } from '../../ui/close-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SessionList } from './session-list.tsx'
import { usePerson } from './use-person.ts'

export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const { person } = usePerson()

  return (
    <Dialog
      title="My sessions"
      className="w-2xl max-w-full p-6"
      corner={<CloseButton onClick={onClose} />}
      onClose={onClose}
    >
      <p className="mt-1 mb-4 text-quiet">
        {person?.id === null
          ? 'The browsers that are signed in with the shared password.'
          : 'The browsers in which you are signed in.'}
      </p>
      <SessionList of="me" />
    </Dialog>
  )
}
