import { type ReactNode, useId } from 'react'
import type { HeldReason } from '../../../core/contract/forms.ts'
import type { Deliveries, DeliveryStatus, DeliveryTarget } from '../../../core/deliveries/contract/jobs.ts'
import type { ListedLead } from '../../../core/leads/contract/leads.ts'
import { formatSoon } from '../../lib/dates.ts'
import { Facts } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { useAccess } from '../access.tsx'
import { type PausedWords, RETRYING, usePausedWords } from '../job-labels.tsx'
import { heldWords, ReleaseHeld } from './held-lead.tsx'
import { useLeadActs } from './lead-dialogs.tsx'

export type Retrying = { crm: boolean; email: boolean }

const CRM_STATUS: Record<DeliveryStatus, { label: string; tone: Tone }> = {
  success: { label: 'Success', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  pending: { label: 'Pending', tone: 'wait' },
}

export const isHeld = (lead: ListedLead): lead is ListedLead & { held_reason: HeldReason } => lead.held_reason !== null

type DeliveryState = NonNullable<Deliveries[DeliveryTarget]>

const EMAIL_STATUS: Record<DeliveryState['status'], { label: string; tone: Tone }> = {
  success: { label: 'Delivered', tone: 'good' },
  pending: { label: 'Waiting', tone: 'wait' },
  retrying: { label: 'Retrying', tone: 'wait' },
  failed: { label: 'Not delivered', tone: 'bad' },
}

const EMAILS: { target: DeliveryTarget; label: string; isAlwaysShown: boolean }[] = [
  { target: 'clinic', label: 'Provider email', isAlwaysShown: true },
  { target: 'visitor', label: 'Visitor email', isAlwaysShown: true },
  { target: 'team', label: 'Team email', isAlwaysShown: false },
  { target: 'previous_clinic', label: 'Previous provider', isAlwaysShown: false },
]

type Props = { lead: ListedLead; retrying: Retrying }

/** Returns the state of an email. "Resend" sends the provider's always, and every other that was not delivered. */
function emailState(target: DeliveryTarget, state: DeliveryState, { retrying }: Pick<Props, 'retrying'>) {
  return retrying.email && (target === 'clinic' || state.status !== 'success') ? RETRYING : EMAIL_STATUS[state.status]
}

/** Says until when a delivery waits, if it does not wait for its first attempt alone. */
function openWords(state: DeliveryState | undefined, paused: string | undefined): string | undefined {
  if (state?.status === 'pending') return paused
  if (state?.status !== 'retrying') return undefined
  const { next_attempt_at: at } = state
  return paused ?? (at === null ? 'Trying again now' : `Trying again at ${formatSoon(at)}`)
}

export const hasFailedEmail = ({ deliveries }: ListedLead): boolean =>
  EMAILS.some(({ target }) => deliveries[target]?.status === 'failed')

export function LeadDeliveries({ lead, retrying }: Props) {
  const can = useAccess()
  const reasonId = useId()
  const pausedWords = usePausedWords()
  const crm = retrying.crm ? RETRYING : CRM_STATUS[lead.crm_sync_status]
  const crmWords = retrying.crm ? undefined : openWords(lead.deliveries.crm, pausedWords('crm'))
  return (
    <div className="grid justify-items-start gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-quiet">CRM Sync</span>
        <Badge tone={crm.tone}>{crm.label}</Badge>
        {isHeld(lead) && <Badge tone="wait">Held</Badge>}
      </div>
      {crmWords && <p className="text-wait">{crmWords}</p>}
      <Facts
        of={EMAILS.map(({ target, isAlwaysShown, label }) => {
          const state = lead.deliveries[target]
          if (!state || (!isAlwaysShown && state.status === 'success')) return null
          const { label: words, tone } = emailState(target, state, { retrying })
          const open = words === RETRYING.label ? undefined : openWords(state, pausedWords('mail'))
          return [
            label,
            <span key={target} className={TEXTS[tone]}>
              {open ?? words}
            </span>,
          ]
        })}
      />
      {isHeld(lead) && (
        <>
          <p id={reasonId} className="max-w-72 text-quiet">
            {heldWords(lead, can('lead.manage'))}
          </p>
          {can('lead.manage') && (
            <ReleaseHeld id={lead.id} name={`${lead.first_name} ${lead.last_name}`} reason={lead.held_reason} />
          )}
        </>
      )}
      {can('lead.work') && (
        <div className="mt-1.5 flex flex-wrap gap-2 xl:flex-nowrap">
          <RetryButtons {...{ lead, retrying, reasonId }} />
        </div>
      )}
    </div>
  )
}

type ButtonsProps = Props & {
  /** The id of the element that says why a lead is held. */
  reasonId: string
  /** The classes of the buttons in a row of the list, which leaves out a button without any. */
  look?: { email: string | undefined; crm: string | undefined }
}

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

type CellProps = Props & { pausedWords: PausedWords }

const DOTS: Record<Tone, string> = { good: 'bg-good', bad: 'bg-bad', wait: 'bg-wait-bright', neutral: 'bg-edge' }
const TEXTS: Record<Tone, string> = {
  good: 'text-good',
  bad: 'font-semibold text-bad',
  wait: 'text-wait',
  neutral: 'text-quiet',
}

function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`flex items-center gap-1.5 ${TEXTS[tone]}`}>
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${DOTS[tone]}`} />
      <span className="truncate">{children}</span>
    </span>
  )
}

const Below = ({ look = 'text-wait', children }: { look?: string; children: ReactNode }) => (
  <span className={`block truncate text-xs dense:hidden ${look}`}>{children}</span>
)

export function CrmCell({ lead, retrying, pausedWords }: CellProps) {
  const { label, tone } = retrying.crm ? RETRYING : CRM_STATUS[lead.crm_sync_status]
  const words = retrying.crm ? undefined : openWords(lead.deliveries.crm, pausedWords('crm'))
  return (
    <>
      <State tone={tone}>{label}</State>
      {words && <Below>{words}</Below>}
    </>
  )
}

/** Shows the email to the provider, and the first other email that did not arrive. A held lead has neither. */
export function ClinicCell({ lead, retrying, pausedWords }: CellProps) {
  if (isHeld(lead)) return <State tone="wait">Held</State>
  const { clinic } = lead.deliveries
  const shown = clinic ? emailState('clinic', clinic, { retrying }) : ({ label: '-', tone: 'neutral' } as const)
  const open = retrying.email ? undefined : openWords(clinic, pausedWords('mail'))
  const [other] = EMAILS.flatMap(({ target, label }) => {
    const state = lead.deliveries[target]
    return target !== 'clinic' && state && state.status !== 'success' ? [{ target, label, state }] : []
  })
  const otherState = other && emailState(other.target, other.state, { retrying })
  return (
    <>
      <State tone={shown.tone}>
        <span className="sr-only">Provider email: </span>
        {shown.label}
      </State>
      {open && <Below>{open}</Below>}
      {otherState && !open && (
        <Below look={TEXTS[otherState.tone]}>
          {other.label}: {(!retrying.email && openWords(other.state, pausedWords('mail'))) || otherState.label}
        </Below>
      )}
    </>
  )
}
