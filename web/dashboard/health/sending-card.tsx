import { useState } from 'react'
import {
  resumeSending,
  SENDING_WORDS,
  type Sending,
  type SendingId,
  type SendingPause,
} from '../../../core/contract/integrations.ts'
import type { DeliveryName } from '../../../core/contract/jobs.ts'
import { byActor } from '../../lib/actors.ts'
import { act } from '../../lib/call.ts'
import { formatSoon } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess } from '../access.tsx'
import { RetryFailedButton } from '../retry-failed.tsx'
import { INTEGRATIONS } from '../sending-pauses.ts'
import { AttemptFacts, Card, Fact, Since, TOUCHABLE } from './parts.tsx'
import { PauseDialog } from './pause-dialog.tsx'

const JOBS = { crm: 'sync-crm', mail: 'send-email' } as const satisfies Record<SendingId, DeliveryName>

type Props = { integration: SendingId; title: string; sending: Sending }

/** Shows sending to the CRM or the mail server. Managers retry what failed, and pause or resume sending. */
export function SendingCard({ integration, title, sending }: Props) {
  const can = useAccess()
  const { state, pause, waiting, retrying, oldest_waiting_at, failed } = sending
  if (state === 'not_set_up')
    return <Card title={title} state={state} note="No CRM is connected. Set CRM_KIND to connect one." />
  return (
    <Card
      title={title}
      state={state}
      note={pause ? pauseNote(pause) : NOTES[state]}
      actions={can('sending.pause') && <Actions integration={integration} sending={sending} />}
    >
      <AttemptFacts {...sending} never="None in the last 24 hours" />
      <Fact label="Waiting">
        {waiting + retrying === 0
          ? 'Nothing'
          : [waiting > 0 && `${formatCount(waiting)} new`, retrying > 0 && `${formatCount(retrying)} to be retried`]
              .filter(Boolean)
              .join(', ')}
        {oldest_waiting_at && (
          <span className="block text-quiet">
            The oldest since <Since time={oldest_waiting_at} />
          </span>
        )}
      </Fact>
      <Fact label="Failed">
        {failed.total === 0 ? 'Nothing in 30 days' : `${formatCount(failed.total)} for good, in 30 days`}
      </Fact>
    </Card>
  )
}

const NOTES: Partial<Record<Sending['state'], string>> = {
  retrying: 'Some attempts fail. They are made again automatically.',
  failing: 'The latest attempts all failed. If that goes on, sending pauses by itself.',
  silent: 'Deliveries are due, and nothing takes them up. See the workers and the queue.',
}

function pauseNote({ kind, until, reason, ...pause }: SendingPause): string {
  const sentence = reason.replace(/\.?$/, '.')
  if (kind === 'breaker') return `${sentence} Paused by Leadwell itself. One delivery is tried ${probeTime(until)}.`
  return `Paused until ${formatSoon(until)} ${byActor({ actor: pause.paused_by, actor_name: pause.paused_by_name })}: ${sentence}`
}

const probeTime = (until: string) => (Date.parse(until) > Date.now() ? `at ${formatSoon(until)}` : 'now')

function Actions({ integration, sending: { pause, failed } }: { integration: SendingId; sending: Sending }) {
  const [isPausing, setPausing] = useState(false)
  const { deliveries } = SENDING_WORDS[integration]
  const resuming = useAction({
    act: () => act(resumeSending, { params: { integration } }),
    done: `Sending ${deliveries} again. What waited is due now.`,
    failed: 'Failed to resume',
    changes: INTEGRATIONS,
  })
  return (
    <>
      {failed.total > 0 && (
        <RetryFailedButton
          label={failed.total === 1 ? 'Retry it...' : `Retry these ${formatCount(failed.total)}...`}
          className={TOUCHABLE}
          chosen={{ span: 'Last 30 days', name: JOBS[integration] }}
        />
      )}
      {pause && (
        <Button
          variant="outline"
          size="small"
          className={TOUCHABLE}
          busy={resuming.isPending}
          onClick={() => resuming.mutate(undefined)}
        >
          Resume now<span className="sr-only"> sending {deliveries}</span>
        </Button>
      )}
      <Button variant="outline" size="small" className={TOUCHABLE} onClick={() => setPausing(true)}>
        {pause ? 'Pause until another time...' : 'Pause sending until...'}
        <span className="sr-only"> {deliveries}</span>
      </Button>
      {isPausing && <PauseDialog integration={integration} onClose={() => setPausing(false)} />}
    </>
  )
}
