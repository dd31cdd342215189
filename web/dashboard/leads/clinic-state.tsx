import { type ClinicOptOut, confirmOptOut } from '../../../core/contract/opt-outs.ts'
import { byActor } from '../../lib/actors.ts'
import { act } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { useLeadAction } from './use-lead-action.ts'

/**
 * Shows whether a clinic has confirmed that it stopped contact. Agents and managers can record a confirmation by phone.
 */
export function ClinicState({ clinic, canStop }: { clinic: ClinicOptOut; canStop: boolean }) {
  const confirm = useLeadAction({
    act: () => act(confirmOptOut, { params: { id: clinic.id } }),
    done: 'Confirmation recorded',
    failed: 'Failed to record the confirmation',
  })
  const { confirmed_at, confirmed_by, confirmed_by_name: actor_name } = clinic
  if (confirmed_at) {
    const by = byActor({ actor: confirmed_by ?? '', actor_name })
    return (
      <p>
        {clinic.clinic}: confirmed on {formatDay(confirmed_at)} {by}.
      </p>
    )
  }
  return (
    <div className="grid justify-items-start gap-1.5">
      <p className={isOverdue(clinic) ? 'font-semibold text-wait' : ''}>{clinicSentence(clinic)}</p>
      {canStop && (
        <Button variant="outline" size="small" busy={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
          Confirmed by phone
        </Button>
      )}
    </div>
  )
}

const isOverdue = ({ due_at }: ClinicOptOut) => Date.parse(due_at) < Date.now()

function clinicSentence(clinic: ClinicOptOut): string {
  const asked = `${clinic.clinic}: told on ${formatDay(clinic.asked_at)}`
  return isOverdue(clinic)
    ? `${asked}, had to confirm by ${formatDay(clinic.due_at)} and has not. Please call.`
    : `${asked}, confirms until ${formatDay(clinic.due_at)}.`
}
