import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useLift } from './api/opt-outs.ts'

/** Allows contact again, with a reason. */
export function LiftButton({ url }: { url: string }) {
  const [isOpen, setOpen] = useState(false)
  const [because, setBecause] = useState('')
  const lift = useLift()
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setOpen(true)}>
        Allow contact...
      </Button>
      {isOpen && (
        <ConfirmDialog
          title="Allow contact again?"
          confirmLabel="Allow contact"
          variant="primary"
          busy={lift.isPending}
          disabled={because.trim() === ''}
          onConfirm={() => lift.mutate({ url, because }, { onSettled: () => setOpen(false) })}
          onClose={() => setOpen(false)}
        >
          <div className="grid gap-4">
            <p>
              Only if this person has said so, or if it was a mistake. Clinics and the CRM that were told to stop do not
              hear of this from us: please tell them.
            </p>
            <TextField
              label="Reason"
              maxLength={300}
              required
              autoComplete="off"
              value={because}
              onChange={({ target }) => setBecause(target.value)}
            />
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}
