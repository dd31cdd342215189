import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { z } from 'zod'
import {
  type AlertChannel,
  type AlertDelivery,
  addAlertChannel,
  CHANNEL_KINDS,
  changeAlertChannel,
  changeAlertSettings,
  listAlerts,
  NewAlertChannel,
  removeAlertChannel,
  testAlertChannel,
} from '../../../core/conditions/contract/alerts.ts'
import { CONDITION_IDS, conditionOf } from '../../../core/conditions/contract/conditions.ts'
import { MINUTE, SECOND } from '../../../core/contract/time.ts'
import { act, call } from '../../lib/call.ts'
import { formatSince } from '../../lib/dates.ts'
import { HttpError } from '../../lib/http.ts'
import { countOf } from '../../lib/numbers.ts'
import { ActionButton, ConfirmAction, Facts } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { DialogButton, FormDialog } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { callAndWait, doneOr } from '../job-labels.tsx'

/** In milliseconds: a worker looks once a minute. */
const LATE = 5 * MINUTE
const PART = 'border-t border-line px-4 py-2.5'

export function AlertsPanel() {
  const query = useQuery({
    queryKey: ['alerts'],
    queryFn: () => call(listAlerts),
    // A worker checks every minute.
    refetchInterval: 30 * SECOND,
  })
  return (
    <div className="grid gap-4 text-sm">
      <Loaded of={query} fallback="Failed to load the alerts" className="h-40">
        {({ channels, checked_at, no_lead_hours }) => (
          <>
            {(checked_at === null || Date.now() - Date.parse(checked_at) >= LATE) && (
              <Alert
                title={`No worker ${checked_at === null ? 'has checked for alerts yet' : 'is checking for alerts'}`}
              >
                {checked_at === null ? 'A worker checks every minute.' : `Last check: ${formatSince(checked_at)}.`}{' '}
                Without a running worker, nothing is delivered and no alert can be sent. An alert follows when a worker
                runs again.
              </Alert>
            )}
            <Card
              title="Channels"
              action={
                <DialogButton dialog={(close) => <AddChannelDialog onClose={close} />}>Add a channel</DialogButton>
              }
              isFlush
            >
              <ul>
                {channels.map((channel) => (
                  <ChannelRow key={channel.id} channel={channel} />
                ))}
              </ul>
              {channels.every(({ kind }) => kind === 'team' || kind === 'email') && (
                <p className={`${PART} rounded-b-lg bg-wait-soft text-wait`}>
                  All channels use email. If the mail server fails, its alert cannot arrive either: add a chat or
                  webhook channel.
                </p>
              )}
            </Card>
            <Card
              title="What an alert is about"
              note="Each alert is sent once, and for most kinds again when the problem is “Recovered”."
              isFlush
            >
              <Facts
                className={`max-sm:grid-cols-1! ${PART}`}
                of={CONDITION_IDS.map(conditionOf).map(
                  ({ alerts, label, about }) => alerts !== undefined && [label, about],
                )}
              />
              <div className={`flex flex-wrap items-center gap-x-3 gap-y-2 text-quiet ${PART}`}>
                <span aria-hidden="true">“No leads” means none within</span>
                <SavedSelect
                  label="Business hours without a lead"
                  words={[...new Set([...HOURS, no_lead_hours])]
                    .toSorted((a, b) => a - b)
                    .map((each) => [String(each), countOf(each, 'business hour')] as const)}
                  value={String(no_lead_hours)}
                  act={(value) => act(changeAlertSettings, { body: { no_lead_hours: Number(value) } })}
                  {...SAVED}
                />
              </div>
            </Card>
          </>
        )}
      </Loaded>
    </div>
  )
}

const HOURS = [2, 4, 6, 8, 12, 16, 24, 40, 80]

const SAVED = { done: 'Saved', failed: 'Failed to save', changes: 'alerts' } as const

const AT_ONCE = 'at_once'
const RHYTHMS = [
  [AT_ONCE, 'At once'],
  ...Array.from(
    { length: 24 },
    (_, hour) => [String(hour), `Daily at ${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`] as const,
  ),
] as const

function ChannelRow({ channel: { id, kind, name, target, last, rhythm, daily_hour } }: { channel: AlertChannel }) {
  return (
    <li className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-2 ${PART}`}>
      <div className="min-w-0 text-quiet wrap-anywhere">
        <p>
          <span className="font-semibold text-ink">{name}</span> {CHANNEL_KINDS[kind]}
        </p>
        <p>{target ?? 'The team’s address, set on the server'}</p>
        {last ? <LastDelivery last={last} /> : <p>Nothing was sent yet.</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <SavedSelect
          label={`When alerts go to ${name}`}
          words={RHYTHMS}
          value={rhythm === AT_ONCE ? AT_ONCE : String(daily_hour)}
          act={(value) =>
            act(changeAlertChannel, {
              params: { id },
              body: value === AT_ONCE ? { rhythm: 'at_once' } : { rhythm: 'daily', daily_hour: Number(value) },
            })
          }
          {...SAVED}
        />
        <ActionButton
          aria-label={`Send a test to ${name}`}
          act={() => callAndWait(testAlertChannel, { id })}
          done={doneOr(`The test arrived at “${name}”`)}
          failed={`The test did not arrive at “${name}”`}
          changes="alerts"
        >
          Send a test
        </ActionButton>
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

const STATES = {
  done: ['Delivered', 'text-good'],
  failed: ['Failed', 'text-bad'],
  waiting: ['Waiting', 'text-wait'],
  enqueued: ['In progress', 'text-wait'],
  cancelled: ['Cancelled', ''],
} as const
const MESSAGES: Record<AlertDelivery['kind'], string> = { alert: 'Alert', digest: 'Summary', test: 'Test' }

function LastDelivery({ last: { at, kind, state, error, detail } }: { last: AlertDelivery }) {
  const [words, look] = STATES[state]
  return (
    <>
      <p>
        <span className={`font-semibold ${look}`}>{words}</span>: {MESSAGES[kind]}, {formatSince(at)}
      </p>
      {state !== 'done' && error && (
        <p className="max-w-prose text-bad">
          {error} {detail && <span className="text-quiet">“{detail}”</span>}
        </p>
      )}
    </>
  )
}

type Kind = NewAlertChannel['kind']

const HINTS: Record<Kind, string> = {
  email: 'One message to each address.',
  slack: 'The URL of an incoming webhook of Slack, Mattermost or Rocket.Chat.',
  webhook: 'JSON posted to your URL, signed with Standard Webhooks.',
}

type Errors = Record<string, string | undefined>

function AddChannelDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('email')
  const [errors, setErrors] = useState<Errors>({})
  const client = useQueryClient()
  const adding = useMutation({
    mutationFn: (body: NewAlertChannel) => call(addAlertChannel, { body }),
    onSuccess({ secret }) {
      void client.invalidateQueries({ queryKey: ['alerts'] })
      if (secret === null) onClose()
    },
    onError(error) {
      const { fields = {}, sentence } = error instanceof HttpError ? error : {}
      // What is said of one address belongs to the whole field.
      const entries = Object.entries(fields).map(([path, message]) => [path.split('.')[0], message])
      setErrors(entries.length > 0 ? Object.fromEntries(entries) : { form: sentence ?? error.message })
    },
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [name, addresses, url] = ['name', 'addresses', 'url'].map((field) => String(form.get(field) ?? '').trim())
    const target = kind === 'email' ? { addresses: addresses?.split(/[\s,;]+/).filter(Boolean) } : { url }
    const parsed = NewAlertChannel.safeParse({ kind, name, ...target })
    const found = parsed.success ? {} : z.flattenError(parsed.error).fieldErrors
    setErrors(Object.fromEntries(Object.entries(found).map(([field, messages]) => [field, messages[0]])))
    if (parsed.success) adding.mutate(parsed.data)
  }
  if (adding.data?.secret) return <SecretDialog secret={adding.data.secret} onClose={onClose} />
  return (
    <FormDialog
      title="Add a channel"
      submit="Add the channel"
      busy={adding.isPending}
      {...{ onClose }}
      onSubmit={submit}
    >
      <fieldset>
        <legend className="text-sm font-semibold text-ink">Kind</legend>
        {NewAlertChannel.shape.kind.options.map((each) => (
          <CheckField
            key={each}
            type="radio"
            name="kind"
            label={CHANNEL_KINDS[each]}
            hint={HINTS[each]}
            checked={kind === each}
            onChange={() => setKind(each)}
          />
        ))}
      </fieldset>
      <TextField label="Name" name="name" autoComplete="off" required error={errors.name} />
      {kind === 'email' ? (
        <TextAreaField
          label="Email addresses, one on a line"
          name="addresses"
          rows={3}
          required
          error={errors.addresses}
        />
      ) : (
        <TextField label="Address (https://)" name="url" type="url" autoComplete="off" required error={errors.url} />
      )}
      {errors.form && (
        <p role="alert" className="text-sm text-bad">
          {errors.form}
        </p>
      )}
    </FormDialog>
  )
}

function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="The channel is added" className="w-lg max-w-full p-6" onClose={onClose}>
      <p className="mt-2 text-sm">
        Its messages are signed with this secret (Standard Webhooks). Copy it now, because it is not shown again.
      </p>
      <code className="mt-3 block rounded-lg bg-mist p-3 text-sm text-ink wrap-anywhere select-all">{secret}</code>
      <div className="mt-6 flex justify-end">
        <Button className="rounded-lg" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
