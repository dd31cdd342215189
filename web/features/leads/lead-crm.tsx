import type { CrmSyncStatus, Lead } from '../../../core/contract/leads.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useRetryEmail } from './api/retry-email.ts'
import { useRetrySync } from './api/retry-sync.ts'

const STATUS: Record<CrmSyncStatus, { label: string; tone: Tone }> = {
  success: { label: 'Success', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  pending: { label: 'Pending', tone: 'wait' },
}

/** Whether the CRM knows the lead, and the means to send again what did not arrive. */
export function LeadCrm({ lead }: { lead: Lead }) {
  const email = useRetryEmail()
  const sync = useRetrySync()
  const { label, tone } = STATUS[lead.crm_sync_status]

  return (
    <div className="grid justify-items-start gap-2">
      <Badge tone={tone}>{label}</Badge>
      <div className="flex flex-wrap gap-2 xl:flex-nowrap">
        <Button variant="outline" size="small" busy={email.isPending} onClick={() => email.mutate(lead.id)}>
          Resend Email
        </Button>
        <Button variant="outline" size="small" busy={sync.isPending} onClick={() => sync.mutate(lead.id)}>
          Retry CRM Sync
        </Button>
      </div>
      {lead.email_status === 'failed' && (
        <p className="text-sm font-semibold text-bad">An e-mail could not be delivered.</p>
      )}
    </div>
  )
}
