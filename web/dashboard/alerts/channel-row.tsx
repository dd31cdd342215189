import {
  type AlertChannel,
  type AlertDelivery,
  CHANNEL_KINDS,
  changeAlertChannel,
  removeAlertChannel,
  testAlertChannel,
} from '../../../core/conditions/contract/alerts.ts'
import { MAX_WAIT } from '../../../core/deliveries/contract/jobs.ts'
import { act, call } from '../../lib/call.ts'
import { formatSince } from '../../lib/dates.ts'
import { SECOND } from '../../lib/time.ts'
import { ConfirmAction } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { noticeOf } from '../job-labels.tsx'

/** Shows where a channel leads, the result of its last message, and what can be done with it. */
export function ChannelRow({ channel }: { channel: AlertChannel }) {
  const { id, kind, name, target, last } = channel
  const test = useTest(channel)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold text-ink wrap-anywhere">
          {name} <span className="font-normal text-quiet">{CHANNEL_KINDS[kind]}</span>
        </p>
        <p className="text-quiet wrap-anywhere">{target ?? 'The address of the settings (TEAM_EMAIL)'}</p>
        {last ? <LastDelivery last={last} /> : <p className="text-quiet">Nothing was sent yet.</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Rhythm channel={channel} />
        <Button
          variant="outline"
          size="small"
          className="min-h-11 rounded-lg lg:min-h-8"
          busy={test.isPending}
          onClick={() => test.mutate()}
        >
          {test.isPending ? 'Sending...' : 'Send a test'}
          <span className="sr-only"> to {name}</span>
        </Button>
        {kind !== 'team' && (
          <ConfirmAction
            label="Remove"
            title={`Remove “${name}”?`}
            danger
            act={() => act(removeAlertChannel, { params: { id } })}
            done={`“${name}” is removed`}
            failed="Failed to remove the channel"
            changes="alerts"
          >
            It gets no more alerts. Pending alerts are discarded.
          </ConfirmAction>
        )}
      </div>
    </li>
  )
}

const STATES: Record<AlertDelivery['state'], { label: string; tone: Tone }> = {
  done: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  waiting: { label: 'Waiting', tone: 'wait' },
  enqueued: { label: 'In progress', tone: 'wait' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}
const KINDS: Record<AlertDelivery['kind'], string> = { alert: 'Alert', digest: 'Summary', test: 'Test' }

function LastDelivery({ last: { at, kind, state, error, detail } }: { last: AlertDelivery }) {
  const { label, tone } = STATES[state]
  return (
    <>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-quiet">
        <Badge tone={tone}>{label}</Badge> {KINDS[kind]}, {formatSince(at)}
      </p>
      {state !== 'done' && error && (
        <p className="mt-1 max-w-prose text-bad wrap-anywhere">
          {error} {detail && <span className="text-quiet">“{detail}”</span>}
        </p>
      )}
    </>
  )
}

const AT_ONCE = 'at_once'
const RHYTHMS = [
  { value: AT_ONCE, label: 'At once' },
  ...Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: `Daily at ${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`,
  })),
]

function Rhythm({ channel: { id, name, rhythm, daily_hour } }: { channel: AlertChannel }) {
  const saving = useAction({
    act: (value: string) =>
      act(changeAlertChannel, {
        params: { id },
        body: value === AT_ONCE ? { rhythm: 'at_once' } : { rhythm: 'daily', daily_hour: Number(value) },
      }),
    done: 'Saved',
    failed: 'Failed to save',
    changes: 'alerts',
  })
  return (
    <SavedSelect
      label={`When alerts go to ${name}`}
      options={RHYTHMS}
      value={rhythm === AT_ONCE ? AT_ONCE : String(daily_hour)}
      busy={saving.isPending}
      onSave={(value) => saving.mutate(value)}
    />
  )
}

/** Sends a test, and shows what the other side said to it. */
function useTest({ id, name }: AlertChannel) {
  return useAction({
    async act() {
      const input = { params: { id }, query: { wait: MAX_WAIT }, timeout: (MAX_WAIT + 10) * SECOND }
      const { success, error, waiting } = await call(testAlertChannel, input)
      if (!success) throw new Error(error)
      return waiting
    },
    done(waiting) {
      toast(waiting ? noticeOf(waiting) : { title: 'Success', description: `The test arrived at “${name}”` })
    },
    failed: `The test did not arrive at “${name}”`,
    changes: 'alerts',
  })
}
