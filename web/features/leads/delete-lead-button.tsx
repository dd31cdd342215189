import { useState } from 'react'
import type { Lead } from '../../../core/contract/leads.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteLead } from './api/delete-lead.ts'

export function DeleteLeadButton({ lead }: { lead: Lead }) {
  const [isAsking, setAsking] = useState(false)
  const deletion = useDeleteLead()
  const name = `${lead.first_name} ${lead.last_name}`
  const close = () => setAsking(false)

  return (
    <>
      <Button variant="quietDanger" size="small" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Delete this lead?"
          confirmLabel="Delete lead"
          busy={deletion.isPending}
          onConfirm={() => deletion.mutate(lead.id, { onSettled: close })}
          onClose={close}
        >
          <p>
            {name} and everything that was or is to be sent for this lead will be removed. This cannot be undone. The
            record of consent is kept, without name, e-mail and phone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
