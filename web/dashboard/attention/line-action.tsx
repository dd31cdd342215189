import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { type ConditionLine, conditionOf, sayNoProvider } from '../../../core/conditions/contract/conditions.ts'
import { formatPhone, telUrl } from '../../../core/contract/texts.ts'
import { deleteLead, passOn } from '../../../core/leads/contract/lead-changes.ts'
import type { Lead } from '../../../core/leads/contract/leads.ts'
import { confirmOptOut } from '../../../core/privacy/contract/opt-outs.ts'
import { act, call } from '../../lib/call.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { ActionButton, ConfirmAction } from '../../ui/action-button.tsx'
import { buttonClass, SmallButton } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { useAccess } from '../access.tsx'
import { resultWords, runBulk } from '../bulk.ts'
import { EditLeadDialog } from '../leads/edit-lead-dialog.tsx'
import { ReleaseHeld } from '../leads/held-lead.tsx'
import { MatchDialog } from '../leads/match-dialog.tsx'
import { leadQuery } from '../leads/use-leads-page.ts'
import { PassOnDialog, passedOnWords, usePassOnWaiting } from '../pass-on-dialog.tsx'
import { ActivateButton } from '../provider-link.tsx'
import { useProviders } from '../providers/list-providers.tsx'
import type { Undoable } from '../undo.tsx'

type Props = { line: ConditionLine; onUndoable: (done: Undoable) => void }

export function LineAction({ line, onUndoable }: Props) {
  const can = useAccess()
  const { title, clinic, leads, leadId = 0, heldReason, do_not_contact } = line
  switch (conditionOf(line.kind).act) {
    case 'confirm':
      return can('lead.work') && <ConfirmStop line={line} />
    case 'resend':
      return can('lead.manage') && leads && <Resend line={line} ids={leads.ids} />
    case 'pass-on':
      return can('lead.work') && clinic && leads && <PassOn {...{ clinic, leads, onUndoable }} />
    case 'correct':
      return (
        can('lead.work') &&
        !do_not_contact && (
          <LeadButton
            id={leadId}
            aria-label={`Correct the phone number of ${title}`}
            dialog={(lead, onClose) => <EditLeadDialog {...{ lead, onClose }} />}
          >
            Correct...
          </LeadButton>
        )
      )
    case 'match':
      if (do_not_contact) return null
      return (
        <>
          {can('lead.manage') && (
            <LeadButton
              id={leadId}
              aria-label={`Match ${title} with a provider`}
              dialog={(lead, onClose) => (
                <MatchDialog
                  {...{ lead, onClose }}
                  onMatched={({ id }) =>
                    onUndoable({ undo: 'undo-match', ids: [id], description: 'Lead provider updated successfully' })
                  }
                />
              )}
            >
              Match...
            </LeadButton>
          )}
          {can('lead.work') && line.no_provider_near === 'unsaid' && <TellThem leadId={leadId} name={title} />}
        </>
      )
    case 'activate':
      return can('lead.manage') && clinic && <ActivateButton {...clinic} />
    case 'release':
      if (!can('lead.manage')) return null
      return (
        <>
          {heldReason && <ReleaseHeld id={leadId} name={title} reason={heldReason} />}
          <DeleteHeld {...{ leadId, name: title, onUndoable }} />
        </>
      )
    default:
      return line.open && <OpenLink search={line.search} label={line.open} of={title} />
  }
}

function OpenLink({ search, label, of }: { search: string; label: string; of: string }) {
  return (
    <Link to={{ search }} aria-label={`${label} ${of}`} className={buttonClass({ variant: 'outline', size: 'small' })}>
      {label}
    </Link>
  )
}

export function Call({ name, phone }: Clinic) {
  const url = phone && telUrl(phone)
  if (!url) return null
  return (
    <a
      href={url}
      title={formatPhone(phone)}
      aria-label={`Call ${name}, ${formatPhone(phone)}`}
      className={`${buttonClass({ variant: 'ghost', size: 'small' })} px-2!`}
    >
      Call
    </a>
  )
}

function Resend({ line, ids }: { line: ConditionLine; ids: number[] }) {
  const client = useQueryClient()
  const isCrm = line.kind === 'crm'
  const label = `${isCrm ? 'Retry' : 'Resend'} ${formatCount(ids.length)}`
  return (
    <ActionButton
      aria-label={`${label}: ${line.title}`}
      // The clinic that has a lead now is not written to again because one that had it was not reached.
      act={() =>
        runBulk(
          client,
          isCrm ? { action: 'retry-sync', ids } : { action: 'retry-email', ids, to_clinic: line.clinic?.id },
        )
      }
      done={(report) => {
        const [first] = report.failures
        toast({
          title: isCrm ? 'Sent to the CRM again' : 'Resent',
          description: first ? `${resultWords(report)}. ${first.error}` : resultWords(report),
          ...(report.failed > 0 && { variant: 'destructive' as const }),
        })
      }}
      failed={isCrm ? 'Failed to retry CRM sync' : 'Failed to resend'}
      changes="attention"
    >
      {label}
    </ActionButton>
  )
}

type Clinic = NonNullable<ConditionLine['clinic']>
type PassOnProps = { clinic: Clinic; leads: NonNullable<ConditionLine['leads']> } & Pick<Props, 'onUndoable'>

/** Passes on one recent request at once, which can be undone; several after a dialog, which is for managers only. */
function PassOn({ clinic, leads: { total, older, ids }, onUndoable }: PassOnProps) {
  const can = useAccess()
  const [isAsking, setAsking] = useState(false)
  const providers = useProviders().data
  const one = useAction({
    act: () => call(passOn, { params: { id: ids[0] ?? 0 } }),
    done: (lead) => onUndoable({ undo: 'undo-match', ids: [lead.id], description: passedOnWords(lead, providers) }),
    failed: 'Failed to pass on',
    changes: 'attention',
  })
  const many = usePassOnWaiting(clinic.id, { changes: 'attention', onUndoable })
  const recent = total - older
  const isOne = total === 1 && recent === 1
  if (!can('lead.manage') && !isOne) {
    const search = `?${new URLSearchParams({ tab: 'leads', provider_id: String(clinic.id), late: 'true' })}`
    return <OpenLink search={search} label={`See ${formatCount(total)}`} of={`requests of ${clinic.name}`} />
  }
  const label = recent === 0 ? 'Close as unanswered...' : isOne ? 'Pass on' : `Pass on ${formatCount(recent)}...`
  const of = recent === 0 ? countOf(total, 'old request') : isOne ? 'the request' : countOf(recent, 'request')
  return (
    <>
      <SmallButton
        busy={one.isPending || many.isRunning}
        aria-label={`${recent === 0 ? 'Close' : 'Pass on'} ${of} of ${clinic.name}`}
        onClick={() => (isOne ? one.mutate() : setAsking(true))}
      >
        {label}
      </SmallButton>
      {isAsking && <PassOnDialog providerId={clinic.id} late onConfirm={many.start} onClose={() => setAsking(false)} />}
    </>
  )
}

function TellThem({ leadId, name }: { leadId: number; name: string }) {
  return (
    <ConfirmAction
      label="Tell them..."
      ariaLabel={`Tell them that no provider is near: ${name}`}
      title={`Tell ${name} that no provider is near?`}
      variant="primary"
      confirmLabel="Send the email"
      act={() => act(sayNoProvider, { params: { id: leadId } })}
      done={`${name} gets the email`}
      failed="Failed to tell them"
      changes="attention"
    >
      <p>
        One email says that there is still no provider within reach, that we keep the request, and that we write again
        once there is one. It is sent once and cannot be taken back.
      </p>
    </ConfirmAction>
  )
}

function ConfirmStop({ line }: { line: ConditionLine }) {
  return (
    <ConfirmAction
      label="Confirm..."
      ariaLabel={`Confirm the stop of ${line.title}`}
      title="Has the provider stopped?"
      variant="primary"
      confirmLabel="It has stopped"
      act={() => act(confirmOptOut, { params: { id: line.optOutId ?? 0 } })}
      done="Confirmation recorded"
      failed="Failed to record it"
      changes="attention"
    >
      <p>
        Only if {line.title} has told you that it no longer contacts {line.person ?? 'the person'}. Your name is
        recorded.
      </p>
    </ConfirmAction>
  )
}

type LeadButtonProps = Omit<ComponentProps<typeof SmallButton>, 'id'> & {
  id: number
  dialog: (lead: Lead, close: () => void) => ReactNode
}

function LeadButton({ id, dialog, ...button }: LeadButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const { data: lead, error, isFetching } = useQuery({ ...leadQuery(id), enabled: isOpen })
  const hasFailed = isOpen && !lead && !isFetching && error
  useEffect(() => {
    if (!hasFailed) return
    toast({ variant: 'destructive', title: 'Failed to load the lead', description: hasFailed.message })
    setOpen(false)
  }, [hasFailed])
  return (
    <>
      <SmallButton {...button} busy={isOpen && !lead} onClick={() => setOpen(true)} />
      {isOpen && lead && dialog(lead, () => setOpen(false))}
    </>
  )
}

type LeadProps = { leadId: number; name: string } & Pick<Props, 'onUndoable'>

function DeleteHeld({ leadId, name, onUndoable }: LeadProps) {
  return (
    <ActionButton
      variant="quietDanger"
      aria-label={`Delete ${name}`}
      act={() => act(deleteLead, { params: { id: leadId } })}
      done={() => onUndoable({ undo: 'restore', ids: [leadId], description: 'Lead deleted successfully' })}
      failed="Failed to delete lead"
      changes="attention"
    >
      Delete
    </ActionButton>
  )
}
