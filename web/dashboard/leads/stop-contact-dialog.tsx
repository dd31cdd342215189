import type { Lead } from '../../../core/leads/contract/leads.ts'
import { stopContact } from '../../../core/privacy/contract/opt-outs.ts'
import { act } from '../../lib/call.ts'
import { ConfirmDialog } from '../../ui/confirm.tsx'
import type { LeadDialog } from './lead-dialogs.tsx'
import { useLeadAction } from './use-lead-action.ts'

export const leadDialog: LeadDialog = {
  ...{ position: 4, label: () => 'Do not contact...', right: 'lead.work', isOffered: (lead) => !lead.do_not_contact },
  Dialog: StopContactDialog,
}

function StopContactDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const stop = useLeadAction({
    act: () => act(stopContact, { body: { lead_id: lead.id } }),
    done: 'This person will no longer be contacted',
    failed: 'Failed to stop contact',
  })
  return (
    <ConfirmDialog
      title={`Stop all contact with ${lead.first_name} ${lead.last_name}?`}
      confirmLabel="Stop contact"
      busy={stop.isPending}
      onConfirm={() => stop.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      Pending emails to this person are cancelled. The providers and the CRM that have a request are notified, and each
      provider has ten business days to confirm. New forms from this person are held.
    </ConfirmDialog>
  )
}
