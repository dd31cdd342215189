import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { AttentionKind, AttentionLine, AttentionOf } from '../../../core/contract/attention.ts'
import { CAUSE_WORDS } from '../../../core/contract/failure-causes.ts'
import { HELD_REASONS } from '../../../core/contract/forms.ts'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { formatDay, formatMinute, formatRecent, formatSince, formatSoon } from '../../lib/dates.ts'
import { milesInWords } from '../../lib/distance.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { telUrl } from '../../lib/texts.ts'
import { useNow } from '../../lib/use-now.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLinkTo } from '../address.ts'
import { recordSearch } from '../provider-link.tsx'
import { type Undoable, useConfirmStop, useDeleteLead, usePassOn, useResend } from './attention.ts'
import { SnoozeMenu } from './snooze-menu.tsx'

/** What a line needs of other features. */
export type LineParts = {
  /** Opens the choice of a clinic for a lead. */
  onMatch: (leadId: number) => void
  /** The button that releases a held lead. */
  releaseButton: (line: AttentionOf<'held'>) => ReactNode
  onUndoable: (done: Undoable) => void
}

type Props = LineParts & {
  line: AttentionLine
  /** Whether the viewer is a manager. */
  canAct: boolean
  /** Whether the viewer may set lines aside. */
  canStop: boolean
  isSnoozing: boolean
  onSnoozing: (isOpen: boolean) => void
  /** Sets the line aside until a time, or until there is news. */
  onMark: (until?: string) => void
  onTakeBack: () => void
}

const SMALL = 'rounded-lg! max-lg:min-h-11'
const QUIET = `${buttonClass({ variant: 'ghost', size: 'small' })} ${SMALL} px-2! text-quiet!`

/** Shows one trouble with its one action. The title opens what the line is about. */
export function AttentionRow({ line, canStop, isSnoozing, onSnoozing, onMark, onTakeBack, ...rest }: Props) {
  const title = titleOf(line)
  const linkTo = useLinkTo()
  const now = useNow()
  return (
    <li
      data-line={line.key}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-[0.8125rem] leading-5 last:rounded-b-lg focus-within:bg-mist hover:bg-mist lg:min-h-11 lg:flex-nowrap lg:py-1"
    >
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${DOTS[line.kind]}`} />
      <div className="min-w-0 flex-1 lg:flex lg:items-baseline lg:gap-3">
        <Link
          to={{ search: searchOf(line, linkTo) }}
          className="block max-w-full shrink-0 truncate py-0.5 font-semibold text-ink hover:text-secondary hover:underline max-lg:py-3 lg:max-w-2/5"
        >
          {title}
        </Link>
        <Words line={line} />
      </div>
      <time
        dateTime={line.since}
        title={formatMinute(line.since)}
        className="shrink-0 text-quiet tabular-nums lg:w-24 lg:text-right"
      >
        {Date.parse(line.since) > 0 && formatSince(line.since, now)}
      </time>
      <div className="flex shrink-0 flex-wrap items-center gap-1.5 max-lg:w-full max-lg:pl-5 lg:w-76 lg:justify-end">
        <Action {...{ ...rest, line, canStop }} />
        {canStop && line.mark === null && (
          <>
            <SnoozeMenu
              label={`Snooze ${title}`}
              isOpen={isSnoozing}
              onOpen={onSnoozing}
              onChoose={onMark}
              className={QUIET}
            />
            <button
              type="button"
              title="Done (e)"
              aria-label={`Done with ${title}`}
              onClick={() => onMark()}
              className={QUIET}
            >
              Done
            </button>
          </>
        )}
        {line.mark && (
          <span className="text-quiet">
            {line.mark.until ? `Until ${formatSoon(line.mark.until)}` : 'Done'} · {line.mark.by_name ?? line.mark.by}
          </span>
        )}
        {canStop && line.mark && (
          <button type="button" onClick={onTakeBack} aria-label={`Bring back ${title}`} className={QUIET}>
            Bring back
          </button>
        )}
      </div>
    </li>
  )
}

const DOTS: Record<AttentionKind, string> = {
  stop: 'bg-bad',
  'not-reached': 'bg-bad',
  'no-answer': 'bg-wait-bright',
  unmatched: 'bg-wait-bright',
  crm: 'bg-bad',
  sync: 'bg-wait-bright',
  held: 'bg-edge',
  application: 'bg-edge',
}

const SYNC_TITLES: Record<AttentionOf<'sync'>['trouble'], string> = {
  overdue: 'Sync overdue',
  failed: 'Sync failed',
  approval: 'Sync waits for approval',
  'old-leads': 'Old leads with a new clinic',
}

function titleOf(line: AttentionLine): string {
  switch (line.kind) {
    case 'stop':
    case 'not-reached':
    case 'no-answer':
      return line.clinic.name
    case 'unmatched':
    case 'held':
      return line.name
    case 'crm':
      return line.cause ? CAUSE_WORDS[line.cause].words.replace(/\.$/, '') : 'Refused'
    case 'sync':
      return SYNC_TITLES[line.trouble]
    case 'application':
      return line.practice
  }
}

/** Returns the query of the page that a line is about. */
function searchOf(line: AttentionLine, linkTo: ReturnType<typeof useLinkTo>): string {
  switch (line.kind) {
    case 'stop':
    case 'unmatched':
    case 'held':
      return leadsSearch({ lead: line.leadId })
    case 'not-reached':
    case 'no-answer':
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

/** Shows what is wrong. It is cut off on a wide screen, where the whole text is in its tooltip. */
function Words({ line }: { line: AttentionLine }) {
  const words = wordsOf(line)
  return (
    <p title={words} className="min-w-0 wrap-anywhere text-quiet lg:truncate">
      {words}
    </p>
  )
}

function wordsOf(line: AttentionLine): string {
  switch (line.kind) {
    case 'stop':
      return `Had to confirm by ${formatDay(line.since)} that it stopped contacting ${line.name ?? 'a person'}, lead no. ${line.leadId}`
    case 'not-reached':
      return `${countOf(line.leads, 'request')}${line.isRetrying ? ', still being tried' : ''}. ${saidOf(line)}`
    case 'no-answer':
      return `${countOf(line.leads, 'request')} without an answer in time`
    case 'unmatched':
      if (line.do_not_contact) return `${placeOf(line)}. Asked not to be contacted, so no clinic is needed`
      return line.nearest
        ? `${placeOf(line)}. Nearest: ${line.nearest.name}, ${milesInWords(line.nearest.miles)}`
        : `${placeOf(line)}. No clinic can be placed on the map`
    case 'crm':
      return `${countOf(line.leads, 'lead')}${line.isRetrying ? ', still being tried' : ''}. ${saidOf(line)}`
    case 'sync':
      return syncWords(line)
    case 'held':
      return `${line.zip}. ${HELD_REASONS[line.reason]}`
    case 'application':
      return line.heldReason
        ? `${line.name}, ${line.zip}. Held: ${HELD_REASONS[line.heldReason]}`
        : `${line.name}, ${line.zip}. New for longer than the 48 hours that we promise`
  }
}

function saidOf({ error, detail }: Pick<AttentionOf<'crm'>, 'error' | 'detail'>): string {
  return [error, detail && `It said: “${detail}”`].filter(Boolean).join(' ')
}

function placeOf({ city, state, zip }: AttentionOf<'unmatched'>): string {
  return city && state ? `${city}, ${state} ${zip}` : zip
}

function syncWords({ trouble, leads, error, since }: AttentionOf<'sync'>): string {
  switch (trouble) {
    case 'overdue':
      return Date.parse(since) === 0
        ? 'No sync has succeeded yet'
        : `The last successful sync ended ${formatRecent(since)}. Two scheduled ones were missed since then`
    case 'failed':
      return error ?? 'It has changed nothing'
    case 'approval':
      return error ?? 'It would make sensitive changes, so it has changed nothing'
    case 'old-leads':
      return `${countOf(leads, 'lead')} ${leads === 1 ? 'has' : 'have'} a clinic in reach since a sync, and ${leads === 1 ? 'is' : 'are'} too old to be matched automatically`
  }
}

type ActionProps = LineParts & Pick<Props, 'line' | 'canAct' | 'canStop'>

/** Shows the one action of a line, and the phone of the clinic where a call helps. */
function Action({ line, canAct, canStop, onMatch, releaseButton, onUndoable }: ActionProps) {
  const linkTo = useLinkTo()
  switch (line.kind) {
    case 'stop':
      return (
        <>
          <Call clinic={line.clinic} />
          {canStop && <ConfirmStop line={line} />}
        </>
      )
    case 'not-reached':
      return (
        <>
          <Call clinic={line.clinic} />
          {canAct && <Resend line={line} label="Resend" />}
        </>
      )
    case 'no-answer':
      return (
        <>
          <Call clinic={line.clinic} />
          {canStop && <PassOn line={line} canAct={canAct} onUndoable={onUndoable} />}
        </>
      )
    case 'unmatched':
      if (!canAct || line.do_not_contact) return null
      return (
        <Button
          size="small"
          variant="outline"
          className={SMALL}
          aria-label={`Match ${line.name} with a clinic`}
          onClick={() => onMatch(line.leadId)}
        >
          Match...
        </Button>
      )
    case 'crm':
      return canAct ? <Resend line={line} label="Retry" /> : null
    case 'sync':
      return (
        <Link
          to={{ search: searchOf(line, linkTo) }}
          aria-label={`${SYNC_ACTIONS[line.trouble]}: ${SYNC_TITLES[line.trouble]}`}
          className={`${buttonClass({ variant: 'outline', size: 'small' })} ${SMALL}`}
        >
          {SYNC_ACTIONS[line.trouble]}
        </Link>
      )
    case 'held':
      if (!canAct) return null
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
          className={`${buttonClass({ variant: 'outline', size: 'small' })} ${SMALL}`}
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
  if (!phone) return null
  return (
    <a
      href={telUrl(phone)}
      title={phone}
      aria-label={`Call ${name}, ${phone}`}
      className={`${buttonClass({ variant: 'ghost', size: 'small' })} ${SMALL} px-2!`}
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
      className={SMALL}
      busy={resend.isPending}
      aria-label={`${label} ${formatCount(count)}: ${titleOf(line)}`}
      onClick={() => resend.mutate(undefined)}
    >
      {label} {formatCount(count)}
    </Button>
  )
}

/** Passes on at once what one lead is; asks first if there are several, which only managers may do. */
function PassOn({
  line,
  canAct,
  onUndoable,
}: { line: AttentionOf<'no-answer'> } & Pick<Props, 'canAct' | 'onUndoable'>) {
  const [isAsking, setAsking] = useState(false)
  const passOn = usePassOn(line, onUndoable)
  const { length: count } = line.leadIds
  if (!canAct && count > 1) {
    return (
      <Link
        to={{ search: leadsSearch({ provider_id: line.clinic.id, late: 'true' }) }}
        aria-label={`See the requests of ${line.clinic.name}`}
        className={`${buttonClass({ variant: 'outline', size: 'small' })} ${SMALL}`}
      >
        See {formatCount(count)}
      </Link>
    )
  }
  return (
    <>
      <Button
        size="small"
        variant="outline"
        className={SMALL}
        busy={passOn.isPending}
        aria-label={`Pass on ${count === 1 ? 'the request' : countOf(count, 'request')} of ${line.clinic.name}`}
        onClick={() => (count === 1 ? passOn.mutate(undefined) : setAsking(true))}
      >
        {count === 1 ? 'Pass on' : `Pass on ${formatCount(count)}...`}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Pass on ${countOf(count, 'request')}?`}
          variant="primary"
          confirmLabel={`Pass on ${countOf(count, 'request')}`}
          onConfirm={() => {
            setAsking(false)
            passOn.mutate(undefined)
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            Each goes to the next nearest clinic that has not had it. {line.clinic.name} is asked not to call, and the
            visitors are told about the change. You can undo this for {UNDO_SECONDS} seconds.
          </p>
        </ConfirmDialog>
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
        className={SMALL}
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
      className={SMALL}
      busy={deletion.isPending}
      aria-label={`Delete ${line.name}`}
      onClick={() => deletion.mutate(undefined)}
    >
      Delete
    </Button>
  )
}
