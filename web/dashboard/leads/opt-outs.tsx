import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type liftLeadOptOut, type liftSuppression, listOptOuts } from '../../../core/contract/opt-outs.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useLeadAction } from './use-lead-action.ts'

type Props = { to: typeof liftLeadOptOut | typeof liftSuppression; id: number }

/** Allows contact with the person of a lead, or at one address or number. Requires a reason. */
export function LiftButton({ to, id }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [because, setBecause] = useState('')
  const lift = useLeadAction({
    act: () => call(to, { params: { id }, body: { because } }),
    done: 'This person may be contacted again',
    failed: 'Failed to allow contact',
  })
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
          onConfirm={() => lift.mutate(undefined, { onSettled: () => setOpen(false) })}
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

/** Returns the overdue confirmations of clinics, and the newest suppressions. */
export function useOptOuts() {
  return useQuery({
    queryKey: ['leads', 'opt-outs'],
    queryFn: () => call(listOptOuts),
  })
}
