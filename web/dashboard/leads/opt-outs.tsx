import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Lead, LeadDetails } from '../../../core/leads/contract/leads.ts'
import {
  type ClinicOptOut,
  confirmOptOut,
  liftOptOut,
  listOptOuts,
  type Suppression,
  stopContact,
} from '../../../core/privacy/contract/opt-outs.ts'
import { byActor } from '../../lib/actors.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { SmallButton } from '../../ui/button.tsx'
import { ConfirmButton, ConfirmDialog } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAccess } from '../access.tsx'
import { useLeadAction } from './use-lead-action.ts'

type Props = { of: { lead_id: number } | { suppression_id: number } }

/** Allows contact with the person of a lead, or at one address or number. Requires a reason. */
export function LiftButton({ of }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [because, setBecause] = useState('')
  const lift = useLeadAction({
    act: () => call(liftOptOut, { body: { ...of, because } }),
    done: 'This person may be contacted again',
    failed: 'Failed to allow contact',
  })
  return (
    <>
      <SmallButton onClick={() => setOpen(true)}>Allow contact...</SmallButton>
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

/** Returns the newest suppressions. */
export function useOptOuts() {
  return useQuery({
    queryKey: ['leads', 'opt-outs'],
    queryFn: () => call(listOptOuts),
  })
}

/** Shows whether the person of a lead may be contacted, and which clinics have confirmed an opt-out. */
export function LeadOptOut({ lead }: { lead: LeadDetails }) {
  const can = useAccess()
  const { since, clinics } = lead.opt_out
  return (
    <div className="grid justify-items-start gap-2 text-[0.9375rem]">
      {since && <p className="font-semibold text-bad">{suppressedSentence(since)}</p>}
      {clinics.map((clinic) => (
        <ClinicState key={clinic.id} clinic={clinic} />
      ))}
      {!since && <p className="text-quiet">This person may be contacted.</p>}
      {!since && can('lead.work') && <StopButton lead={lead} />}
      {since && can('lead.manage') && <LiftButton of={{ lead_id: lead.id }} />}
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
  const stop = useLeadAction({
    act: () => act(stopContact, { body: { lead_id: lead.id } }),
    done: 'This person is not contacted any more',
    failed: 'Failed to stop contact',
  })
  return (
    <ConfirmButton
      label="Do not contact..."
      title={`Stop all contact with ${lead.first_name} ${lead.last_name}?`}
      confirmLabel="Stop contact"
      busy={stop.isPending}
      onConfirm={(options) => stop.mutate(undefined, options)}
    >
      <p>
        E-mails that are still to be sent to this person are cancelled. The clinics and the CRM that know of a request
        are told, and each clinic has ten business days to confirm. A new form of this person is held.
      </p>
    </ConfirmButton>
  )
}

/**
 * Shows whether a clinic has confirmed that it stopped contact. Agents and managers can record a confirmation by phone.
 */
function ClinicState({ clinic }: { clinic: ClinicOptOut }) {
  const can = useAccess()
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
      {can('lead.work') && (
        <SmallButton busy={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
          Confirmed by phone
        </SmallButton>
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
