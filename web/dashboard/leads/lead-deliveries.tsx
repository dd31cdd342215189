import { type ReactNode, useId } from 'react'
import type { HeldReason } from '../../../core/contract/forms.ts'
import type { Deliveries, DeliveryStatus, DeliveryTarget } from '../../../core/deliveries/contract/jobs.ts'
import type { ListedLead } from '../../../core/leads/contract/leads.ts'
import { formatSoon } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { useAccess } from '../access.tsx'
import { type PausedWords, RETRYING, usePausedWords } from '../job-labels.tsx'
import { HeldLead } from './held-lead.tsx'
import { useLeadActs } from './use-lead-action.ts'

/** The deliveries of a lead that this page is retrying now. */
export type Retrying = { crm: boolean; email: boolean }

const CRM_STATUS: Record<DeliveryStatus, { label: string; tone: Tone }> = {
  success: { label: 'Success', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  pending: { label: 'Pending', tone: 'wait' },
}

export const isHeld = (lead: ListedLead): lead is ListedLead & { held_reason: HeldReason } => lead.held_reason !== null

type StatesProps = {
  lead: ListedLead
  retrying: Retrying
  /** The label of the CRM's badge, where no column names it. */
  label?: string
}

/** Shows the state of the CRM delivery and of each email about the lead. */
export function DeliveryStates({ lead, retrying, label: crmLabel }: StatesProps) {
  const { label, tone } = retrying.crm ? RETRYING : CRM_STATUS[lead.crm_sync_status]
  const { crm } = lead.deliveries
  const pausedWords = usePausedWords()
  const crmWords = retrying.crm ? undefined : openWords(crm, pausedWords('crm'))
  return (
    <div className="grid justify-items-start gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        {crmLabel && <span className="text-sm text-quiet">{crmLabel}</span>}
        <Badge tone={tone}>{label}</Badge>
        {isHeld(lead) && <Badge tone="wait">Held</Badge>}
      </div>
      {crmWords && <p className="text-sm text-wait">{crmWords}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-2 text-sm">
        {EMAILS.map(({ target, isAlwaysShown, label }) => {
          const state = lead.deliveries[target]
          if (!state || (!isAlwaysShown && state.status === 'success')) return null
          const { words, look } =
            retrying.email && isResent(target, state) ? EMAIL_RETRYING : emailWords(state, pausedWords('mail'))
          return (
            <div key={target} className="contents">
              <dt className="whitespace-nowrap text-quiet">{label}</dt>
              <dd className={look}>{words}</dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}

type DeliveryState = NonNullable<Deliveries[DeliveryTarget]>
type Emailed = { target: DeliveryTarget; label: string; isAlwaysShown: boolean }

/** The emails of clinic and visitor are always shown, the others only if they have not arrived. */
const EMAILS: Emailed[] = [
  { target: 'clinic', label: 'Provider email', isAlwaysShown: true },
  { target: 'visitor', label: 'Visitor email', isAlwaysShown: true },
  { target: 'team', label: 'Team email', isAlwaysShown: false },
  { target: 'previous_clinic', label: 'Previous provider', isAlwaysShown: false },
]
const EMAIL_RETRYING = { words: RETRYING.label, look: 'text-wait' }

/** Tells whether "Resend" sends this email: always the clinic's, and every other that was not delivered. */
const isResent = (target: DeliveryTarget, { status }: DeliveryState) => target === 'clinic' || status !== 'success'

/** @param paused the words for all that waits, while sending is paused */
function emailWords(state: DeliveryState, paused?: string): { words: string; look: string } {
  switch (state.status) {
    case 'success':
      return { words: 'Sent', look: 'text-ink' }
    case 'pending':
      return { words: paused ?? 'Waiting', look: 'text-wait' }
    case 'retrying':
      return { words: paused ?? againAt(state), look: 'text-wait' }
    case 'failed':
      return { words: 'Not delivered', look: 'font-semibold text-bad' }
  }
}

/** Says until when a delivery waits, if it does not wait for its first attempt alone. */
function openWords(state: DeliveryState | undefined, paused: string | undefined): string | undefined {
  if (state?.status === 'retrying') return paused ?? againAt(state)
  return state?.status === 'pending' ? paused : undefined
}

const againAt = ({ next_attempt_at }: DeliveryState) =>
  next_attempt_at === null ? 'Trying again now' : `Trying again at ${formatSoon(next_attempt_at)}`

type Props = {
  lead: ListedLead
  retrying: Retrying
}

/** Shows the buttons that retry deliveries. Both are disabled while the lead is held. */
export function DeliveryActions({ lead, retrying }: Props) {
  const can = useAccess()
  const reasonId = useId()
  return (
    <>
      {isHeld(lead) && <HeldLead lead={lead} reasonId={reasonId} />}
      {can('lead.work') && (
        <div className="flex flex-wrap gap-2 xl:flex-nowrap">
          <RetryButtons {...{ lead, retrying, reasonId }} />
        </div>
      )}
    </>
  )
}

type ButtonsProps = Pick<Props, 'lead' | 'retrying'> & {
  /** The id of the element that says why a lead is held. */
  reasonId: string
  /** The classes of the buttons in a row of the list, which leaves out a button without any. */
  look?: { email: string | undefined; crm: string | undefined }
}

/** The two buttons by themselves; the second one for managers only. Both are disabled while the lead is held. */
export function RetryButtons({ lead, retrying, reasonId, look }: ButtonsProps) {
  const { resendEmail, retryCrm } = useLeadActs()
  const can = useAccess()
  const whileHeld = isHeld(lead) ? { disabled: true, 'aria-describedby': reasonId } : {}
  const style = { variant: look ? ('ghost' as const) : ('outline' as const), size: 'small' as const, ...whileHeld }
  return (
    <>
      {(!look || look.email) && (
        <Button {...style} busy={retrying.email} className={look?.email} onClick={() => resendEmail(lead.id)}>
          Resend Email
        </Button>
      )}
      {can('lead.manage') && (!look || look.crm) && (
        <Button {...style} busy={retrying.crm} className={look?.crm} onClick={() => retryCrm(lead.id)}>
          Retry CRM Sync
        </Button>
      )}
    </>
  )
}

/** Tells whether an email about a lead did not arrive. */
export const hasFailedEmail = ({ deliveries }: ListedLead): boolean =>
  EMAILS.some(({ target }) => deliveries[target]?.status === 'failed')

type CellProps = Pick<Props, 'lead' | 'retrying'> & { pausedWords: PausedWords }

const DOTS: Record<Tone, string> = { good: 'bg-good', bad: 'bg-bad', wait: 'bg-wait-bright', neutral: 'bg-edge' }
const TEXTS: Record<Tone, string> = {
  good: 'text-good',
  bad: 'font-semibold text-bad',
  wait: 'text-wait',
  neutral: 'text-quiet',
}

/** A state as a dot and a word, in a row of the list. */
function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`flex items-center gap-1.5 ${TEXTS[tone]}`}>
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${DOTS[tone]}`} />
      <span className="truncate">{children}</span>
    </span>
  )
}

/** Shows whether the CRM has a lead, in a row of the list. */
export function CrmCell({ lead, retrying, pausedWords }: CellProps) {
  const { label, tone } = retrying.crm ? RETRYING : CRM_STATUS[lead.crm_sync_status]
  const words = retrying.crm ? undefined : openWords(lead.deliveries.crm, pausedWords('crm'))
  return (
    <>
      <State tone={tone}>{label}</State>
      {words && <span className="block truncate text-xs text-wait dense:hidden">{words}</span>}
    </>
  )
}

const CLINIC_STATES: Record<DeliveryState['status'], { words: string; tone: Tone }> = {
  success: { words: 'Reached', tone: 'good' },
  pending: { words: 'Waiting', tone: 'wait' },
  retrying: { words: 'Retrying', tone: 'wait' },
  failed: { words: 'Not reached', tone: 'bad' },
}

/**
 * Shows whether the clinic has got its email about a lead, in a row of the list, and the first other email that did not
 * arrive. A held lead has neither.
 */
export function ClinicCell({ lead, retrying, pausedWords }: CellProps) {
  const { clinic } = lead.deliveries
  const { words, tone } =
    retrying.email && clinic
      ? { words: RETRYING.label, tone: RETRYING.tone }
      : clinic
        ? CLINIC_STATES[clinic.status]
        : NO_MAIL
  const paused = pausedWords('mail')
  const open = retrying.email ? undefined : openWords(clinic, paused)
  const other = EMAILS.find(({ target }) => {
    const status = lead.deliveries[target]?.status
    return target !== 'clinic' && status !== undefined && status !== 'success'
  })
  const state = other && lead.deliveries[other.target]
  if (isHeld(lead)) return <State tone="wait">Held</State>
  return (
    <>
      <State tone={tone}>
        <span className="sr-only">Provider email: </span>
        {words}
      </State>
      {open && <span className="block truncate text-xs text-wait dense:hidden">{open}</span>}
      {other && state && !open && (
        <span className={`block truncate text-xs dense:hidden ${emailWords(state, paused).look}`}>
          {other.label}:{' '}
          {retrying.email && isResent(other.target, state) ? RETRYING.label : emailWords(state, paused).words}
        </span>
      )}
    </>
  )
}

const NO_MAIL = { words: '-', tone: 'neutral' } as const
