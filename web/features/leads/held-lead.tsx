import { HELD_REASONS, type HeldReason } from '../../../core/contract/forms.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import { Button } from '../../ui/button.tsx'
import { useReleaseLead } from './api/release-lead.ts'

type Props = {
  lead: Lead & { held_reason: HeldReason }
  /** The id of the reason, for what is disabled because of it. */
  reasonId: string
  canAct: boolean
}

/** Why a lead is held, with the means to deliver it after all. */
export function HeldLead({ lead, reasonId, canAct }: Props) {
  const release = useReleaseLead()

  return (
    <div className="grid w-full max-w-72 justify-items-start gap-2">
      <p id={reasonId} className="text-sm text-quiet">
        {HELD_REASONS[lead.held_reason]} Nothing is sent until {canAct ? 'you release' : 'a manager releases'} the lead.
      </p>
      {canAct && (
        <Button size="small" busy={release.isPending} onClick={() => release.mutate(lead.id)}>
          Release
        </Button>
      )}
    </div>
  )
}
