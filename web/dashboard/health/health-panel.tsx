import { useQuery } from '@tanstack/react-query'
import { type FormEvent, Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { z } from 'zod'
import {
  type Attempts,
  getIntegrations,
  type IntegrationState,
  type Integrations,
  NewSendingPause,
  pauseSending,
  resumeSending,
  SENDING_WORDS,
  type Sending,
  type SendingId,
  type SendingPause,
} from '../../../core/conditions/contract/integrations.ts'
import { HOUR, SECOND } from '../../../core/contract/time.ts'
import { type DeliveryName, JOB_LABELS } from '../../../core/deliveries/contract/jobs.ts'
import { byActor } from '../../lib/actors.ts'
import { act, call } from '../../lib/call.ts'
import { formatMinute, formatSoon, inputOfMoment, momentOfInput, timeZoneName } from '../../lib/dates.ts'
import { countOf, formatBytes, formatCount, formatDuration, formatShare } from '../../lib/numbers.ts'
import { ActionButton, type Fact, Facts, Since } from '../../ui/action-button.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DialogButton, FormDialog } from '../../ui/confirm.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess } from '../access.tsx'
import { RetryFailedButton } from '../retry-failed.tsx'

export function HealthPanel() {
  const query = useQuery({
    queryKey: ['attention', 'integrations'],
    queryFn: () => call(getIntegrations),
    refetchInterval: 10 * SECOND,
    staleTime: 0,
  })
  return (
    <Loaded of={query} fallback="Failed to load the status" className="h-112 w-full">
      {({ crm, mail, wordpress, queue, workers, database }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
          <SendingCard integration="crm" title={CRM_NAMES[crm.kind] ?? 'CRM'} sending={crm} />
          <SendingCard integration="mail" title="Mail" sending={mail} />
          <Part
            title="WordPress"
            of={wordpress}
            facts={[
              ...attemptFacts(wordpress, 'Never'),
              ['Next sync', wordpress.next_at ? formatMinute(wordpress.next_at) : 'Not scheduled'],
            ]}
          >
            <Link
              to={{ search: '?tab=providers' }}
              className={`${buttonClass({ variant: 'outline', size: 'small' })} ${TOUCHABLE}`}
            >
              See the syncs
            </Link>
          </Part>
          <QueuesCard queue={queue} />
          <div className="grid gap-4 max-xl:contents">
            <Part
              title="Workers"
              of={workers}
              facts={[
                ['Running', countOf(workers.running, 'worker')],
                [
                  'Last heartbeat',
                  workers.last_seen_at ? <Since key="at" time={workers.last_seen_at} /> : 'None in the last week',
                ],
                workers.running_since && [
                  'Running for',
                  formatDuration(Math.max(0, Date.now() - Date.parse(workers.running_since))),
                ],
              ]}
            />
            <Part
              title="Database"
              of={database}
              facts={[
                ['Answers in', formatDuration(database.answer_ms)],
                ['Size', formatBytes(database.bytes)],
                [
                  'Connections',
                  `${formatCount(database.connections)} of ${formatCount(database.max_connections)} (${formatShare(database.connections / database.max_connections)})`,
                ],
                ['Longest transaction', formatDuration(database.longest_transaction * SECOND)],
              ]}
            />
          </div>
        </div>
      )}
    </Loaded>
  )
}

const CRM_NAMES: Record<string, string> = { hubspot: 'CRM (HubSpot)', webhook: 'CRM (webhook)' }

function QueuesCard({ queue }: { queue: Integrations['queue'] }) {
  const can = useAccess()
  const { backend, queues } = queue
  const total = queues?.reduce((sum, { failed }) => sum + failed, 0) ?? 0
  return (
    <Part
      title={`Queues (${backend})`}
      of={queue}
      className="md:col-span-2"
      table={
        queues && (
          <table className="mt-3 w-full tabular-nums">
            <thead>
              <tr className="text-right text-xs text-quiet">
                {['Queue', 'Waiting', 'Active', 'Delayed', 'Failed'].map((head) => (
                  <th key={head} scope="col" className="pb-1 pl-2 font-semibold first:pl-0 first:text-left">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {queues.map(({ name, waiting, active, delayed, failed, oldest_waiting_at, is_paused }) => (
                <tr key={name} className="border-t border-line text-right align-top text-ink">
                  <th scope="row" className="py-1 text-left font-normal">
                    {JOB_LABELS[name]}
                    {is_paused && <span className="text-wait">, paused</span>}
                    {oldest_waiting_at && (
                      <span className="text-quiet max-sm:block sm:ml-2">
                        oldest <Since time={oldest_waiting_at} />
                      </span>
                    )}
                  </th>
                  {[waiting, active, delayed].map((count, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
                    <td key={index} className="py-1 pl-2">
                      {formatCount(count)}
                    </td>
                  ))}
                  <td className={`py-1 pl-2 ${failed > 0 ? 'font-semibold text-bad' : ''}`}>{formatCount(failed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    >
      {can('delivery.retry') && total > 0 && <RetryFailedButton className={TOUCHABLE} total={total} />}
    </Part>
  )
}

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

type PartProps = {
  title: string
  of: { state: IntegrationState; note: ReactNode }
  facts?: Fact[]
  table?: ReactNode
  className?: string
  children?: ReactNode
}

function Part({ title, of: { state, note }, facts = [], table, className = '', children }: PartProps) {
  const { label, tone } = STATES[state]
  return (
    <Card title={title} action={<Badge tone={tone}>{label}</Badge>} className={className}>
      {note && <p className="wrap-anywhere text-ink">{note}</p>}
      {table}
      {state !== 'not_set_up' && (
        <>
          {facts.length > 0 && <Facts className="mt-3" of={facts} />}
          <div className="mt-3 flex flex-wrap gap-2 empty:hidden">{children}</div>
        </>
      )}
    </Card>
  )
}

type Attempted = Pick<Sending, 'hour' | 'day' | 'last_success_at' | 'last_failure'>

const attemptFacts = ({ hour, day, last_success_at, last_failure }: Attempted, never: string): Fact[] => [
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

const TOUCHABLE = 'max-lg:min-h-11'

const JOBS = { crm: 'sync-crm', mail: 'send-email' } as const satisfies Record<SendingId, DeliveryName>

type SendingProps = { integration: SendingId; title: string; sending: Sending }

function SendingCard({ integration, title, sending }: SendingProps) {
  const can = useAccess()
  const { state, note, pause, waiting, retrying, oldest_waiting_at, failed } = sending
  const parts = [waiting > 0 && `${formatCount(waiting)} new`, retrying > 0 && `${formatCount(retrying)} to be retried`]
  return (
    <Part
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
    </Part>
  )
}

function pauseNote({ kind, until, reason, ...pause }: SendingPause): string {
  const sentence = reason.replace(/\.?$/, '.')
  if (kind === 'breaker') return `${sentence} Paused by System. One delivery is tried ${probeTime(until)}.`
  return `Paused until ${formatSoon(until)} ${byActor({ actor: pause.paused_by, actor_name: pause.paused_by_name })}: ${sentence}`
}

const probeTime = (until: string) => (Date.parse(until) > Date.now() ? `at ${formatSoon(until)}` : 'now')

function Actions({ integration, sending: { pause, failed } }: { integration: SendingId; sending: Sending }) {
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
      <DialogButton className={TOUCHABLE} dialog={(close) => <PauseDialog integration={integration} onClose={close} />}>
        {pause ? 'Pause until another time...' : 'Pause sending until...'}
        <span className="sr-only"> {deliveries}</span>
      </DialogButton>
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
    <FormDialog
      title={`Pause sending ${deliveries}`}
      className="w-md"
      submit="Pause sending"
      busy={pausing.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}
