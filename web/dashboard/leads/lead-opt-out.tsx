import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Lead } from '../../../core/contract/leads.ts'
import { getLeadOptOut, liftLeadOptOut, type Suppression, stopContact } from '../../../core/contract/opt-outs.ts'
import { byActor } from '../../lib/actors.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ClinicState } from './clinic-state.tsx'
import { LiftButton } from './opt-outs.tsx'
import { useLeadAction } from './use-lead-action.ts'

type Props = {
  lead: Lead
  /** Whether the viewer may stop contact: agents and managers. */
  canStop: boolean
  /** Whether the viewer may allow contact again: managers. */
  canLift: boolean
}

/** Shows whether the person of a lead may be contacted, and which clinics have confirmed an opt-out. */
export function LeadOptOut({ lead, canStop, canLift }: Props) {
  const { data, error } = useQuery({
    queryKey: ['leads', 'details', lead.id, 'opt-out'],
    queryFn: () => call(getLeadOptOut, { params: { id: lead.id } }),
    // The cached state is shown at once and read again.
    staleTime: 0,
  })
  if (error) return <p className="text-sm text-bad">{error.message || 'Failed to load'}</p>
  if (!data) return <Skeleton className="h-8" />
  const { since, clinics } = data
  return (
    <div className="grid justify-items-start gap-2 text-[0.9375rem]">
      {since && <p className="font-semibold text-bad">{suppressedSentence(since)}</p>}
      {clinics.map((clinic) => (
        <ClinicState key={clinic.id} clinic={clinic} canStop={canStop} />
      ))}
      {!since && <p className="text-quiet">This person may be contacted.</p>}
      {!since && canStop && <StopButton lead={lead} />}
      {since && canLift && <LiftButton to={liftLeadOptOut} id={lead.id} />}
    </div>
  )
}

/** Returns, for example, `Asked not to be contacted on Nov 20, 2026, by the link in an e-mail.` */
function suppressedSentence({ created_at, kind, reason, ...by }: Suppression): string {
  const ways = {
    link: 'by the link in an e-mail',
    staff: `noted ${byActor(by)}`,
    stop: `STOP noted ${byActor(by)}`,
    clinic: 'as the clinic was told',
  }
  if (kind === 'phone')
    return `The phone number is not called any more since ${formatDay(created_at)}, ${ways[reason]}.`
  return `Asked not to be contacted on ${formatDay(created_at)}, ${ways[reason]}.`
}

function StopButton({ lead }: { lead: Lead }) {
  const [isOpen, setOpen] = useState(false)
  const stop = useLeadAction({
    act: () => act(stopContact, { params: { id: lead.id } }),
    done: 'This person is not contacted any more',
    failed: 'Failed to stop contact',
  })
  const name = `${lead.first_name} ${lead.last_name}`
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setOpen(true)}>
        Do not contact...
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={`Stop all contact with ${name}?`}
          confirmLabel="Stop contact"
          busy={stop.isPending}
          onConfirm={() => stop.mutate(undefined, { onSettled: () => setOpen(false) })}
          onClose={() => setOpen(false)}
        >
          <p>
            E-mails that are still to be sent to this person are cancelled. The clinics and the CRM that know of a
            request are told, and each clinic has ten business days to confirm. A new form of this person is held.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
