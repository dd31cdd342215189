import { useId } from 'react'
import type { HeldReason } from '../../../core/contract/forms.ts'
import type { DeliveryStatus } from '../../../core/contract/jobs.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useRetryEmail } from './api/retry-email.ts'
import { useRetrySync } from './api/retry-sync.ts'
import { HeldLead } from './held-lead.tsx'

const STATUS: Record<DeliveryStatus, { label: string; tone: Tone }> = {
  success: { label: 'Success', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  pending: { label: 'Pending', tone: 'wait' },
}

const isHeld = (lead: Lead): lead is Lead & { held_reason: HeldReason } => lead.held_reason !== null

/** Whether the CRM knows the lead. */
export function LeadBadges({ lead }: { lead: Lead }) {
  const { label, tone } = STATUS[lead.crm_sync_status]
  return (
    <div className="flex flex-wrap gap-2">
      <Badge tone={tone}>{label}</Badge>
      {isHeld(lead) && <Badge tone="wait">Held</Badge>}
    </div>
  )
}

export function EmailFailure({ lead }: { lead: Lead }) {
  if (lead.email_status !== 'failed') return null
  return <p className="text-sm font-semibold text-bad">An e-mail could not be delivered.</p>
}

type Props = { lead: Lead; canAct: boolean }

/** The means to send again what did not arrive. Both wait while the lead is held. */
export function LeadDeliveries({ lead, canAct }: Props) {
  const reasonId = useId()
  const email = useRetryEmail()
  const sync = useRetrySync()
  const whileHeld = isHeld(lead) ? { disabled: true, 'aria-describedby': reasonId } : {}

  return (
    <>
      {isHeld(lead) && <HeldLead lead={lead} reasonId={reasonId} canAct={canAct} />}
      {canAct && (
        <div className="flex flex-wrap gap-2 xl:flex-nowrap">
          <Button
            variant="outline"
            size="small"
            busy={email.isPending}
            {...whileHeld}
            onClick={() => email.mutate(lead.id)}
          >
            Resend Email
          </Button>
          <Button
            variant="outline"
            size="small"
            busy={sync.isPending}
            {...whileHeld}
            onClick={() => sync.mutate(lead.id)}
          >
            Retry CRM Sync
          </Button>
        </div>
      )}
    </>
  )
}

/** Whether the CRM knows the lead, and the means to send again what did not arrive. */
export function LeadCrm({ lead, canAct }: Props) {
  return (
    <div className="grid justify-items-start gap-2">
      <LeadBadges lead={lead} />
      <LeadDeliveries lead={lead} canAct={canAct} />
      <EmailFailure lead={lead} />
    </div>
  )
}
