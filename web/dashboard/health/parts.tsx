import { type ReactNode, useId } from 'react'
import type { Attempts, IntegrationState, Sending } from '../../../core/conditions/contract/integrations.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { formatCount, formatShare } from '../../lib/text.ts'
import { Badge, type Tone } from '../../ui/feedback.tsx'

const STATES: Record<IntegrationState, { label: string; tone: Tone }> = {
  working: { label: 'Working', tone: 'good' },
  retrying: { label: 'Retrying', tone: 'wait' },
  failing: { label: 'Failing', tone: 'bad' },
  paused: { label: 'Paused', tone: 'wait' },
  silent: { label: 'Silent', tone: 'bad' },
  slow: { label: 'Slow', tone: 'wait' },
  unused: { label: 'Not used yet', tone: 'neutral' },
  not_set_up: { label: 'Not set up', tone: 'neutral' },
}

type CardProps = {
  title: string
  state: IntegrationState
  /** A sentence about the state. */
  note?: ReactNode
  /** Buttons and links. */
  actions?: ReactNode
  /** The facts. */
  children?: ReactNode
}

export function Card({ title, state, note, actions, children }: CardProps) {
  const id = useId()
  const { label, tone } = STATES[state]
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg border border-line bg-background p-4 text-sm">
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} className="text-base font-semibold text-ink">
          {title}
        </h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {note && <p className="mt-2 wrap-anywhere text-ink">{note}</p>}
      {children && <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 tabular-nums">{children}</dl>}
      {actions && <div className="mt-3 flex flex-wrap gap-2 empty:hidden">{actions}</div>}
    </section>
  )
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="whitespace-nowrap text-quiet">{label}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{children}</dd>
    </div>
  )
}

/** The age of a time, with the time itself on hover. */
export function Since({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatMoment(time)}>
      {formatSince(time)}
    </time>
  )
}

type RecordProps = Pick<Sending, 'hour' | 'day' | 'last_success_at' | 'last_failure'> & {
  /** The words where there was no success in the last 24 hours. */
  never: string
}

/** The facts about attempts: the last success and failure, and the rates of an hour and a day. */
export function AttemptFacts({ hour, day, last_success_at, last_failure, never }: RecordProps) {
  return (
    <>
      <Fact label="Last success">{last_success_at ? <Since time={last_success_at} /> : never}</Fact>
      {last_failure && (
        <Fact label="Last failure">
          <Since time={last_failure.at} />
          <span className="block text-bad">{last_failure.error}</span>
          {last_failure.detail && <span className="block text-quiet">It said: “{last_failure.detail}”</span>}
        </Fact>
      )}
      <Fact label="Last hour">{rateOf(hour)}</Fact>
      <Fact label="Last 24 hours">{rateOf(day)}</Fact>
    </>
  )
}

/** Returns, for example, `29 of 30 succeeded (96.7%)`. */
function rateOf({ succeeded, failed }: Attempts): string {
  const all = succeeded + failed
  if (all === 0) return 'No attempt'
  return `${formatCount(succeeded)} of ${formatCount(all)} succeeded (${formatShare(succeeded / all)})`
}

/** The size of a button in a card: large enough to tap on a touch screen. */
export const TOUCHABLE = 'max-lg:min-h-11'
