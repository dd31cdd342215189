import { useQueryClient } from '@tanstack/react-query'
import { CloseButton } from '../../../ui/close-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TwoStepSettings } from './settings.tsx'

/** Two-step sign-in of one's own account. */
export function TwoStepDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()

  function close() {
    // The session says what the account has.
    void client.invalidateQueries({ queryKey: ['session'] })
    onClose()
  }

  return (
    <Dialog
      title="Two-step sign-in"
      className="w-2xl max-w-full p-6"
      corner={<CloseButton onClick={close} />}
      onClose={close}
    >
      <p className="mt-1 text-quiet">
        A stolen password alone does not open your account then. Each change signs you out in other browsers.
      </p>
      <TwoStepSettings />
    </Dialog>
  )
}
