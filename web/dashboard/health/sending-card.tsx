import { type FormEvent, Fragment, type ReactNode, useId, useState } from 'react'
import { z } from 'zod'
import {
  type Attempts,
  type IntegrationState,
  NewSendingPause,
  pauseSending,
  resumeSending,
  SENDING_WORDS,
  type Sending,
  type SendingId,
  type SendingPause,
} from '../../../core/conditions/contract/integrations.ts'
import type { DeliveryName } from '../../../core/deliveries/contract/jobs.ts'
import { byActor } from '../../lib/actors.ts'
import { act, call } from '../../lib/call.ts'
import { formatSoon, inputOfMoment, momentOfInput, timeZoneName } from '../../lib/dates.ts'
import { formatCount, formatShare } from '../../lib/numbers.ts'
import { HOUR } from '../../lib/time.ts'
import { ActionButton, type Fact, Facts, Since } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { FormButtons } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess } from '../access.tsx'
import { RetryFailedButton } from '../retry-failed.tsx'

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
  of: { state: IntegrationState; note: ReactNode }
  facts?: Fact[]
  table?: ReactNode
  className?: string
  /** Its buttons. */
  children?: ReactNode
}

/** One part of the system: its state, and what is known of it where it is set up. */
export function Card({ title, of: { state, note }, facts = [], table, className = '', children }: CardProps) {
  const id = useId()
  const { label, tone } = STATES[state]
  return (
    <section
      aria-labelledby={id}
      className={`min-w-0 rounded-lg border border-line bg-background p-4 text-sm ${className}`}
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} className="text-base font-semibold text-ink">
          {title}
        </h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {note && <p className="mt-2 wrap-anywhere text-ink">{note}</p>}
      {table}
      {state !== 'not_set_up' && (
        <>
          {facts.length > 0 && <Facts className="mt-3" of={facts} />}
          <div className="mt-3 flex flex-wrap gap-2 empty:hidden">{children}</div>
        </>
      )}
    </section>
  )
}

type Attempted = Pick<Sending, 'hour' | 'day' | 'last_success_at' | 'last_failure'>

/** Returns the facts about attempts: the last success and failure, and the rates of an hour and a day. */
export const attemptFacts = ({ hour, day, last_success_at, last_failure }: Attempted, never: string): Fact[] => [
  ['Last success', last_success_at ? <Since key="at" time={last_success_at} /> : never],
  last_failure && [
    'Last failure',
    <Fragment key="of">
      <Since time={last_failure.at} />
      <span className="block text-bad">{last_failure.error}</span>
      {last_failure.detail && <span className="block text-quiet">It said: “{last_failure.detail}”</span>}
    </Fragment>,
  ],
  ['Last hour', rateOf(hour)],
  ['Last 24 hours', rateOf(day)],
]

/** Returns, for example, `29 of 30 succeeded (96.7%)`. */
function rateOf({ succeeded, failed }: Attempts): string {
  const all = succeeded + failed
  if (all === 0) return 'No attempts'
  return `${formatCount(succeeded)} of ${formatCount(all)} succeeded (${formatShare(succeeded / all)})`
}

/** The size of a button in a card: large enough to tap on a touch screen. */
export const TOUCHABLE = 'max-lg:min-h-11'

const JOBS = { crm: 'sync-crm', mail: 'send-email' } as const satisfies Record<SendingId, DeliveryName>

type Props = { integration: SendingId; title: string; sending: Sending }

/** Shows sending to the CRM or the mail server. Managers retry what failed, and pause or resume sending. */
export function SendingCard({ integration, title, sending }: Props) {
  const can = useAccess()
  const { state, note, pause, waiting, retrying, oldest_waiting_at, failed } = sending
  const parts = [waiting > 0 && `${formatCount(waiting)} new`, retrying > 0 && `${formatCount(retrying)} to be retried`]
  return (
    <Card
      title={title}
      of={{ state, note: pause ? pauseNote(pause) : note }}
      facts={[
        ...attemptFacts(sending, 'None in the last 24 hours'),
        [
          'Waiting',
          <Fragment key="of">
            {parts.filter(Boolean).join(', ') || 'Nothing'}
            {oldest_waiting_at && (
              <span className="block text-quiet">
                The oldest since <Since time={oldest_waiting_at} />
              </span>
            )}
          </Fragment>,
        ],
        ['Failed', failed.total === 0 ? 'Nothing in 30 days' : `${formatCount(failed.total)} permanently, in 30 days`],
      ]}
    >
      {can('sending.pause') && <Actions integration={integration} sending={sending} />}
    </Card>
  )
}

function pauseNote({ kind, until, reason, ...pause }: SendingPause): string {
  const sentence = reason.replace(/\.?$/, '.')
  if (kind === 'breaker') return `${sentence} Paused by System. One delivery is tried ${probeTime(until)}.`
  return `Paused until ${formatSoon(until)} ${byActor({ actor: pause.paused_by, actor_name: pause.paused_by_name })}: ${sentence}`
}

const probeTime = (until: string) => (Date.parse(until) > Date.now() ? `at ${formatSoon(until)}` : 'now')

function Actions({ integration, sending: { pause, failed } }: { integration: SendingId; sending: Sending }) {
  const [isPausing, setPausing] = useState(false)
  const { deliveries } = SENDING_WORDS[integration]
  return (
    <>
      {failed.total > 0 && <RetryFailedButton total={failed.total} className={TOUCHABLE} name={JOBS[integration]} />}
      {pause && (
        <ActionButton
          className={TOUCHABLE}
          act={() => act(resumeSending, { params: { integration } })}
          done={`Sending ${deliveries} again. Waiting deliveries are due now.`}
          failed="Failed to resume"
          changes="attention"
        >
          Resume now<span className="sr-only"> sending {deliveries}</span>
        </ActionButton>
      )}
      <Button variant="outline" size="small" className={TOUCHABLE} onClick={() => setPausing(true)}>
        {pause ? 'Pause until another time...' : 'Pause sending until...'}
        <span className="sr-only"> {deliveries}</span>
      </Button>
      {isPausing && <PauseDialog integration={integration} onClose={() => setPausing(false)} />}
    </>
  )
}

function PauseDialog({ integration, onClose }: { integration: SendingId; onClose: () => void }) {
  const [until, setUntil] = useState(() => inputOfMoment(Date.now() + HOUR))
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useState<{ until?: string[]; reason?: string[] }>({})
  const { deliveries, name: side } = SENDING_WORDS[integration]
  const pausing = useAction({
    act: (body: NewSendingPause) => call(pauseSending, { body }),
    done({ until }) {
      onClose()
      return `Sending ${deliveries} is paused until ${formatSoon(until)}`
    },
    failed: 'Failed to pause',
    changes: 'attention',
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const parsed = NewSendingPause.safeParse({ integration, until: momentOfInput(until), reason })
    setErrors(parsed.success ? {} : z.flattenError(parsed.error).fieldErrors)
    if (parsed.success) pausing.mutate(parsed.data)
  }
  return (
    <Dialog title={`Pause sending ${deliveries}`} className="w-md max-w-full p-6" onClose={onClose}>
      <form noValidate onSubmit={submit} className="mt-2 grid gap-3 text-sm">
        <p>
          Nothing is sent to {side} until then. Deliveries wait and use up no attempts.
          {integration === 'mail' && ' This includes emails to visitors, sign-in links and codes.'}
        </p>
        <TextField
          label={`Until (${timeZoneName()})`}
          type="datetime-local"
          value={until}
          error={errors.until?.[0]}
          onChange={({ target }) => setUntil(target.value)}
        />
        <TextField
          label="Reason"
          placeholder="Maintenance until the evening"
          autoComplete="off"
          value={reason}
          error={errors.reason?.[0]}
          onChange={({ target }) => setReason(target.value)}
        />
        <FormButtons submit="Pause sending" busy={pausing.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
