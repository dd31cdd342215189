import { milesInWords } from '../../../core/contract/texts.ts'
import { DAY, HOUR, MINUTE } from '../../../core/contract/time.ts'
import type { Lead, ListedLead } from '../../../core/leads/contract/leads.ts'
import { type AnswerClock, OUTCOME_WORDS, type OutcomeKind } from '../../../core/leads/contract/outcomes.ts'
import { formatDay, formatIsoDay, formatMoment } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks.ts'
import { formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { Badge, Skeleton, type Tone } from '../../ui/feedback.tsx'
import { useAccess, useSettings } from '../access.tsx'
import { HealthDot, ProviderLink, useProviderFigures } from '../provider-link.tsx'
import { useProviders } from '../providers/list-providers.tsx'
import { useLeadActs } from './lead-dialogs.tsx'
import { leadDialog as match } from './match-dialog.tsx'
import { nameOfProvider } from './use-lead-action.ts'

export const OUTCOME_TONES: Record<OutcomeKind, Tone> = {
  opened: 'neutral',
  reached: 'good',
  no_answer: 'wait',
  wrong_number: 'wait',
  booked: 'good',
  attended: 'good',
  no_show: 'wait',
  treated: 'good',
  declined: 'bad',
  opted_out: 'bad',
}

/** Tells whether `OutcomeState` shows anything: not for a lead without an outcome that no clinic has to answer. */
export function hasOutcome({ outcome, answer, held_reason }: ListedLead): boolean {
  return held_reason === null && (outcome !== null || answer !== null)
}

export function noOutcome({ held_reason, provider_id }: ListedLead): string {
  if (held_reason !== null) return 'The lead is held.'
  return provider_id === null ? 'No provider has this lead yet.' : 'No answer yet.'
}

type StateProps = {
  lead: ListedLead
  isDated?: boolean
  /** The day of the appointment, such as 2026-12-07, if one is known. */
  bookedFor?: string | null
  isInRow?: boolean
}

export function OutcomeState({ lead, isDated = false, bookedFor, isInRow = false }: StateProps) {
  if (!hasOutcome(lead)) return null
  const { outcome, outcome_at, answer } = lead
  const waits = answer !== null && answer.answered_at === null && (outcome === null || outcome === 'opened')
  return (
    <div
      className={
        isInRow
          ? 'grid min-w-0 justify-items-start max-lg:flex max-lg:gap-1.5 dense:flex dense:gap-1.5'
          : 'grid justify-items-start gap-1.5'
      }
    >
      {outcome && (
        <div className={`flex items-center gap-2 ${isInRow && waits ? 'max-lg:hidden dense:hidden' : ''}`}>
          <Badge tone={OUTCOME_TONES[outcome]}>{OUTCOME_WORDS[outcome]}</Badge>
          {isDated && outcome_at && (
            <span className="text-sm text-quiet">
              {bookedFor
                ? `for ${formatIsoDay(bookedFor)} (recorded on ${formatDay(outcome_at)})`
                : `on ${formatDay(outcome_at)}`}
            </span>
          )}
        </div>
      )}
      {waits && <Clock answer={answer} />}
    </div>
  )
}

function Clock({ answer }: { answer: AnswerClock }) {
  const { words, look } = clockWords(answer, useNow())
  return (
    <p
      title={answer.due_at === null ? undefined : `Answer due by ${formatMoment(answer.due_at)}`}
      className={`truncate ${look}`}
    >
      {words}
    </p>
  )
}

/** Returns the words and the color of a clock: amber in the second half of the time, and red when it is over. */
function clockWords({ started_at, due_at }: AnswerClock, now: number): { words: string; look: string } {
  if (due_at === null) return { words: 'No answer yet', look: 'text-quiet' }
  const left = Date.parse(due_at) - now
  if (left <= 0) return { words: `Late ${roughly(-left)}`, look: 'font-semibold text-bad' }
  const isSecondHalf = left < (Date.parse(due_at) - Date.parse(started_at)) / 2
  return { words: `${roughly(left)} left`, look: isSecondHalf ? 'font-semibold text-wait' : 'text-quiet' }
}

/** Formats a time in its largest unit, rounded down: `25 min`, `5 h`, `1 d`. */
function roughly(ms: number): string {
  if (ms < HOUR) return `${Math.max(1, Math.floor(ms / MINUTE))} min`
  return ms < DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} d`
}

export function LeadProvider({ lead }: { lead: Lead }) {
  const providers = useProviders().data
  const health = useProviderFigures(lead.provider_id === null ? [] : [lead.provider_id]).get(
    lead.provider_id ?? 0,
  )?.health
  if (lead.provider_id === null) {
    return <Unmatched lead={lead} />
  }
  if (!providers) return <Skeleton className="h-5 w-32" />

  const provider = providers.find(({ id }) => id === lead.provider_id)
  return (
    <div className="grid justify-items-start gap-0.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <ProviderLink id={lead.provider_id}>{nameOfProvider(lead, providers)}</ProviderLink>
        <HealthDot health={health} />
        {provider?.status === 'f' && <Badge tone="bad">Inactive</Badge>}
      </div>
      {provider?.practiceName && provider.practiceName !== provider.name && (
        <span className="text-sm text-quiet wrap-anywhere">{provider.practiceName}</span>
      )}
      {lead.match_distance_miles !== null && <Distance miles={lead.match_distance_miles} />}
    </div>
  )
}

/** Says that a lead has no clinic, with the button that chooses one. `inRow` is the look of the button in a row. */
export function Unmatched({ lead, inRow }: { lead: Lead; inRow?: string }) {
  const can = useAccess()
  const acts = useLeadActs()
  return (
    <div className={`grid justify-items-start ${inRow ? '' : 'gap-1.5'}`}>
      <Badge tone="wait">Unmatched</Badge>
      {can('lead.match') && (
        <SmallButton
          variant={inRow ? 'ghost' : 'outline'}
          aria-label={`Match with provider... ${lead.first_name} ${lead.last_name}`}
          className={inRow}
          onClick={() => acts.open(match, lead)}
        >
          Match with provider...
        </SmallButton>
      )}
    </div>
  )
}

const BEYOND = ', beyond the radius'

/** Distances beyond the match radius stand out: only staff match those. */
export function Distance({ miles, isInRow = false }: { miles: number; isInRow?: boolean }) {
  const { data: settings } = useSettings()
  const isFar = settings !== undefined && miles > settings.match_radius_miles
  return (
    <span
      className={`${isInRow ? '' : 'text-sm'} ${isFar ? 'font-semibold text-wait' : 'text-quiet'}`}
      title={isFar ? 'Beyond the radius' : undefined}
    >
      {isInRow ? (miles < 1 ? '<1 mi' : `${formatCount(Math.round(miles))} mi`) : milesInWords(miles)}
      {isFar && (isInRow ? <span className="sr-only">{BEYOND}</span> : BEYOND)}
    </span>
  )
}
