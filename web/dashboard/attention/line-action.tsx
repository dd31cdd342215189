import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { AttentionLine, AttentionOf } from '../../../core/contract/attention.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import { formatPhone } from '../../../core/contract/phones.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { telUrl } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useAccess } from '../access.tsx'
import { ActivateButton } from '../activate-button.tsx'
import { useLinkTo } from '../address.ts'
import { PassOnDialog, usePassOnWaiting } from '../pass-on-dialog.tsx'
import { recordSearch } from '../provider-link.tsx'
import type { Undoable } from '../undo.tsx'
import { useConfirmStop, useDeleteLead, usePassOnOne, useResend } from './attention.ts'
import { SYNC_TITLES, titleOf } from './words.ts'

/** What a line needs of other features. */
export type LineParts = {
  /** Opens the choice of a clinic for a lead. */
  onMatch: (leadId: number) => void
  /** The button that releases a held lead. */
  releaseButton: (line: AttentionOf<'held'>) => ReactNode
  /** The button that corrects the phone number of a lead. */
  correctButton: (line: AttentionOf<'wrong-number'>) => ReactNode
  /** Says where a lead went that was passed on. */
  passedOnWords: (lead: Lead) => string
  onUndoable: (done: Undoable) => void
}

type Props = LineParts & {
  line: AttentionLine
}

/** Shows the one action of a line, and the phone of the clinic where a call helps. */
export function LineAction({ line, onMatch, releaseButton, correctButton, passedOnWords, onUndoable }: Props) {
  const can = useAccess()
  const linkTo = useLinkTo()
  switch (line.kind) {
    case 'stop':
      return (
        <>
          <Call clinic={line.clinic} />
          {can('lead.work') && <ConfirmStop line={line} />}
        </>
      )
    case 'not-reached':
      return (
        <>
          <Call clinic={line.clinic} />
          {can('lead.manage') && <Resend line={line} label="Resend" />}
        </>
      )
    case 'no-answer':
      return (
        <>
          <Call clinic={line.clinic} />
          {can('lead.work') && <PassOn {...{ line, onUndoable, passedOnWords }} />}
        </>
      )
    case 'paused':
    case 'hours':
      return (
        <>
          <Call clinic={line.clinic} />
          <Link
            to={{ search: searchOf(line, linkTo) }}
            aria-label={`Open ${line.clinic.name}`}
            className={buttonClass({ variant: 'outline', size: 'small' })}
          >
            Open
          </Link>
        </>
      )
    case 'wrong-number':
      return can('lead.work') && !line.do_not_contact ? correctButton(line) : null
    case 'unmatched':
      if (!can('lead.manage') || line.do_not_contact) return null
      return (
        <Button
          size="small"
          variant="outline"
          aria-label={`Match ${line.name} with a clinic`}
          onClick={() => onMatch(line.leadId)}
        >
          Match...
        </Button>
      )
    case 'crm':
      return can('lead.manage') ? <Resend line={line} label="Retry" /> : null
    case 'sync':
      return (
        <Link
          to={{ search: searchOf(line, linkTo) }}
          aria-label={`${SYNC_ACTIONS[line.trouble]}: ${SYNC_TITLES[line.trouble]}`}
          className={buttonClass({ variant: 'outline', size: 'small' })}
        >
          {SYNC_ACTIONS[line.trouble]}
        </Link>
      )
    case 'activation':
      return (
        <>
          <Call clinic={line.clinic} />
          {can('lead.manage') && <ActivateButton {...line.clinic} />}
        </>
      )
    case 'held':
      if (!can('lead.manage')) return null
      return (
        <>
          {releaseButton(line)}
          <DeleteHeld line={line} onUndoable={onUndoable} />
        </>
      )
    case 'application':
      return (
        <Link
          to={{ search: searchOf(line, linkTo) }}
          aria-label={`Review ${line.practice}`}
          className={buttonClass({ variant: 'outline', size: 'small' })}
        >
          Review
        </Link>
      )
  }
}

const SYNC_ACTIONS: Record<AttentionOf<'sync'>['trouble'], string> = {
  overdue: 'See the sync',
  failed: 'See the sync',
  approval: 'See the changes',
  'old-leads': 'See the leads',
}

function Call({ clinic: { name, phone } }: Pick<AttentionOf<'stop'>, 'clinic'>) {
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

function Resend({ line, label }: { line: AttentionOf<'not-reached' | 'crm'>; label: string }) {
  const resend = useResend(line)
  const count = line.leadIds.length
  return (
    <Button
      size="small"
      variant="outline"
      busy={resend.isPending}
      aria-label={`${label} ${formatCount(count)}: ${titleOf(line)}`}
      onClick={() => resend.mutate(undefined)}
    >
      {label} {formatCount(count)}
    </Button>
  )
}

type PassOnProps = { line: AttentionOf<'no-answer'> } & Pick<Props, 'onUndoable' | 'passedOnWords'>

/**
 * Passes on one recent request at once, which can be undone. Shows first how old several are and where they would go, which is
 * for managers only.
 */
function PassOn({ line, ...parts }: PassOnProps) {
  const can = useAccess()
  const [isAsking, setAsking] = useState(false)
  const { leads, older, leadIds } = line
  const one = usePassOnOne(leadIds[0] ?? 0, parts)
  const many = usePassOnWaiting(line.clinic.id, { changes: 'attention', onUndoable: parts.onUndoable })
  const recent = leads - older
  const isOne = leads === 1 && recent === 1
  if (!can('lead.manage') && !isOne) {
    return (
      <Link
        to={{ search: leadsSearch({ provider_id: line.clinic.id, late: 'true' }) }}
        aria-label={`See the requests of ${line.clinic.name}`}
        className={buttonClass({ variant: 'outline', size: 'small' })}
      >
        See {formatCount(leads)}
      </Link>
    )
  }
  const label = recent === 0 ? 'Close as unanswered...' : isOne ? 'Pass on' : `Pass on ${formatCount(recent)}...`
  const of = recent === 0 ? countOf(leads, 'old request') : isOne ? 'the request' : countOf(recent, 'request')
  return (
    <>
      <Button
        size="small"
        variant="outline"
        busy={one.isPending || many.isRunning}
        aria-label={`${recent === 0 ? 'Close' : 'Pass on'} ${of} of ${line.clinic.name}`}
        onClick={() => (isOne ? one.mutate() : setAsking(true))}
      >
        {label}
      </Button>
      {isAsking && (
        <PassOnDialog
          providerId={line.clinic.id}
          late
          onConfirm={(ids) => {
            setAsking(false)
            many.start(ids)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function ConfirmStop({ line }: { line: AttentionOf<'stop'> }) {
  const [isAsking, setAsking] = useState(false)
  const confirmation = useConfirmStop(line.optOutId)
  return (
    <>
      <Button
        size="small"
        variant="outline"
        aria-label={`Confirm the stop of ${line.clinic.name}`}
        onClick={() => setAsking(true)}
      >
        Confirm...
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Has the clinic stopped?"
          variant="primary"
          confirmLabel="It has stopped"
          busy={confirmation.isPending}
          onConfirm={() => confirmation.mutate(undefined, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>
            Only if {line.clinic.name} has told you that it does not contact {line.name ?? 'the person'} any more. Your
            name is recorded with it.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function DeleteHeld({ line, onUndoable }: { line: AttentionOf<'held'> } & Pick<Props, 'onUndoable'>) {
  const deletion = useDeleteLead(line.leadId, onUndoable)
  return (
    <Button
      size="small"
      variant="quietDanger"
      busy={deletion.isPending}
      aria-label={`Delete ${line.name}`}
      onClick={() => deletion.mutate(undefined)}
    >
      Delete
    </Button>
  )
}

/** Returns the query of the page that a line is about. */
export function searchOf(line: AttentionLine, linkTo: ReturnType<typeof useLinkTo>): string {
  switch (line.kind) {
    case 'stop':
    case 'wrong-number':
    case 'unmatched':
    case 'held':
      return leadsSearch({ lead: line.leadId })
    case 'not-reached':
    case 'no-answer':
    case 'activation':
    case 'paused':
    case 'hours':
      return recordSearch(new URLSearchParams(), line.clinic.id)
    case 'crm':
      return leadsSearch({ target: 'crm', ...(line.cause && { cause: line.cause }) })
    case 'sync':
      if (line.trouble === 'old-leads') return leadsSearch({ asked_by_sync: line.runId ?? 0 })
      return line.runId === null ? '?tab=providers' : linkTo({ sync: line.runId })
    case 'application':
      return `?${new URLSearchParams({ tab: 'applications', application: String(line.applicationId) })}`
  }
}

function leadsSearch(params: Record<string, string | number>): string {
  const query = new URLSearchParams({ tab: 'leads' })
  for (const [name, value] of Object.entries(params)) query.set(name, String(value))
  return `?${query}`
}
