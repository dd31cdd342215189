import type { ListedLead } from '../../../core/leads/contract/leads.ts'
import { type AnswerClock, OUTCOME_WORDS, type OutcomeKind } from '../../../core/leads/contract/outcomes.ts'
import { formatDay, formatMoment } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks.ts'
import { SECOND } from '../../lib/time.ts'
import { Badge, type Tone } from '../../ui/feedback.tsx'

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

/** Says why a lead has neither an outcome nor a time for one. */
export function noOutcome({ held_reason, provider_id }: ListedLead): string {
  if (held_reason !== null) return 'The lead is held.'
  return provider_id === null ? 'No clinic has this lead yet.' : 'No answer yet.'
}

type StateProps = {
  lead: ListedLead
  /** Adds the day of the outcome. */
  isDated?: boolean
  /** In one line, for a row of the list. */
  isInRow?: boolean
}

/** Shows the current outcome of a lead, and the time that its clinic has for an answer. */
export function OutcomeState({ lead, isDated = false, isInRow = false }: StateProps) {
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
          {isDated && outcome_at && <span className="text-sm text-quiet">on {formatDay(outcome_at)}</span>}
        </div>
      )}
      {waits && <Clock answer={answer} />}
    </div>
  )
}

/** Shows the time that is left for an answer. It ticks each minute. */
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
export function clockWords({ started_at, due_at }: AnswerClock, now: number): { words: string; look: string } {
  if (due_at === null) return { words: 'No answer yet', look: 'text-quiet' }
  const left = Date.parse(due_at) - now
  if (left <= 0) return { words: `Late ${roughly(-left)}`, look: 'font-semibold text-bad' }
  const isSecondHalf = left < (Date.parse(due_at) - Date.parse(started_at)) / 2
  return { words: `${roughly(left)} left`, look: isSecondHalf ? 'font-semibold text-wait' : 'text-quiet' }
}

const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Formats a time in its largest unit, rounded down: `25 min`, `5 h`, `1 d`. */
function roughly(ms: number): string {
  if (ms < HOUR) return `${Math.max(1, Math.floor(ms / MINUTE))} min`
  return ms < DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} d`
}
