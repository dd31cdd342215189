import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, Fragment, useId, useState } from 'react'
import {
  type Alerts,
  addAlertChannel,
  CHANNEL_KINDS,
  changeAlertSettings,
  listAlerts,
  NewAlertChannel,
} from '../../../core/conditions/contract/alerts.ts'
import { CONDITION_IDS, conditionOf } from '../../../core/conditions/contract/conditions.ts'
import { act, call } from '../../lib/call.ts'
import { formatSince } from '../../lib/dates.ts'
import { HttpError } from '../../lib/http.ts'
import { countOf } from '../../lib/numbers.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { FormButtons } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ChannelRow } from './channel-row.tsx'

/** In milliseconds: a worker looks once a minute. */
const LATE = 5 * MINUTE

/** Shows the tab in which managers choose who is notified of what is wrong, and when. */
export function AlertsPanel() {
  const query = useQuery({
    queryKey: ['alerts'],
    queryFn: () => call(listAlerts),
    // A worker checks every minute.
    refetchInterval: 30 * SECOND,
  })
  const [isAdding, setAdding] = useState(false)
  const id = useId()
  return (
    <div className="grid gap-4 text-sm">
      <Loaded of={query} fallback="Failed to load the alerts" className="h-40">
        {(data) => (
          <>
            <CheckedNotice {...data} />
            <section
              aria-labelledby={`${id}-channels`}
              className="overflow-hidden rounded-lg border border-line bg-background"
            >
              <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2.5">
                <h2 id={`${id}-channels`} className="text-base font-semibold text-ink">
                  Channels
                </h2>
                <Button size="small" className="min-h-11 rounded-lg lg:min-h-8" onClick={() => setAdding(true)}>
                  Add a channel
                </Button>
              </div>
              <ul className="divide-y divide-line">
                {data.channels.map((channel) => (
                  <ChannelRow key={channel.id} channel={channel} />
                ))}
              </ul>
              {data.channels.every(({ kind }) => kind === 'team' || kind === 'email') && (
                <p className="border-t border-line bg-wait-soft px-4 py-2.5 text-wait">
                  All channels use email. If the mail server fails, its alert cannot arrive either: add a chat or
                  webhook channel.
                </p>
              )}
            </section>
            <section
              aria-labelledby={`${id}-rules`}
              className="overflow-hidden rounded-lg border border-line bg-background"
            >
              <div className="border-b border-line px-4 py-2.5">
                <h2 id={`${id}-rules`} className="text-base font-semibold text-ink">
                  What an alert is about
                </h2>
                <p className="mt-0.5 text-quiet">
                  Each alert is sent once, and for most kinds again when the problem is “Recovered”.
                </p>
              </div>
              <dl className="grid gap-x-4 gap-y-2 px-4 py-2.5 sm:grid-cols-[12rem_1fr]">
                {CONDITION_IDS.map(conditionOf)
                  .filter(({ alerts }) => alerts !== undefined)
                  .map(({ label, about }) => (
                    <Fragment key={label}>
                      <dt className="font-semibold text-ink">{label}</dt>
                      <dd className="text-quiet">{about}</dd>
                    </Fragment>
                  ))}
              </dl>
              <NoLeadHours hours={data.no_lead_hours} />
            </section>
          </>
        )}
      </Loaded>
      {isAdding && <AddChannelDialog onClose={() => setAdding(false)} />}
    </div>
  )
}

/** Says when nothing looks for alerts: then none can come. */
function CheckedNotice({ checked_at }: Alerts) {
  if (checked_at !== null && Date.now() - Date.parse(checked_at) < LATE) return null
  return (
    <Alert title={checked_at === null ? 'No worker has checked for alerts yet' : 'No worker is checking for alerts'}>
      {checked_at === null ? 'A worker checks every minute.' : `Last check: ${formatSince(checked_at)}.`} Without a
      running worker, nothing is delivered and no alert can be sent. An alert follows when a worker runs again.
    </Alert>
  )
}

const HOURS = [2, 4, 6, 8, 12, 16, 24, 40, 80]

function NoLeadHours({ hours }: { hours: number }) {
  const saving = useAction({
    act: (no_lead_hours: number) => act(changeAlertSettings, { body: { no_lead_hours } }),
    done: 'Saved',
    failed: 'Failed to save',
    changes: 'alerts',
  })
  const options = [...new Set([...HOURS, hours])].toSorted((a, b) => a - b)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2.5 text-quiet">
      <span aria-hidden="true">“No leads” means none within</span>
      <SavedSelect
        label="Business hours without a lead"
        options={options.map((each) => ({ value: String(each), label: countOf(each, 'business hour') }))}
        value={String(hours)}
        busy={saving.isPending}
        onSave={(value) => saving.mutate(Number(value))}
      />
    </div>
  )
}

type Kind = NewAlertChannel['kind']
const KINDS = NewAlertChannel.shape.kind.options

const HINTS: Record<Kind, string> = {
  email: 'One message to each address.',
  slack: 'The URL of an incoming webhook of Slack, Mattermost or Rocket.Chat.',
  webhook: 'JSON posted to your URL, signed with Standard Webhooks.',
}

function AddChannelDialog({ onClose }: { onClose: () => void }) {
  const adding = useAddChannel(onClose)
  if (adding.secret) return <SecretDialog secret={adding.secret} onClose={onClose} />
  const { kind, errors } = adding
  return (
    <Dialog title="Add a channel" className="w-lg max-w-full p-6" onClose={onClose}>
      <form onSubmit={adding.submit} noValidate className="mt-4">
        <fieldset className="mb-4">
          <legend className="text-sm font-semibold text-ink">Kind</legend>
          {KINDS.map((each) => (
            <label key={each} className="mt-2 flex min-h-11 items-start gap-3 lg:min-h-0">
              <input
                type="radio"
                name="kind"
                checked={kind === each}
                onChange={() => adding.choose(each)}
                className="mt-0.5 size-5 shrink-0 accent-secondary"
              />
              <span className="text-sm">
                <span className="font-semibold text-ink">{CHANNEL_KINDS[each]}</span>
                <span className="block text-quiet">{HINTS[each]}</span>
              </span>
            </label>
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
        <FormButtons className="mt-4" submit="Add the channel" busy={adding.isPending} onClose={onClose} />
      </form>
    </Dialog>
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

type Errors = Partial<Record<'name' | 'addresses' | 'url' | 'form', string>>

function useAddChannel(onClose: () => void) {
  const [kind, setKind] = useState<Kind>('email')
  const [errors, setErrors] = useState<Errors>({})
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: (body: NewAlertChannel) => call(addAlertChannel, { body }),
    onSuccess({ secret }) {
      void client.invalidateQueries({ queryKey: ['alerts'] })
      if (secret === null) onClose()
    },
    onError(error) {
      const { fields = {}, sentence } = error instanceof HttpError ? error : {}
      setErrors(Object.keys(fields).length > 0 ? byField(fields) : { form: sentence ?? error.message })
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const lines = text('addresses')
      .split(/[\s,;]+/)
      .filter(Boolean)
    const target = kind === 'email' ? { addresses: lines } : { url: text('url') }
    const parsed = NewAlertChannel.safeParse({ kind, name: text('name'), ...target })
    setErrors(parsed.success ? {} : byField(messagesOf(parsed.error.issues)))
    if (parsed.success) add.mutate(parsed.data)
  }

  function choose(next: Kind) {
    setKind(next)
    setErrors({})
  }
  return { kind, choose, errors, submit, isPending: add.isPending, secret: add.data?.secret }
}

type Issue = { path: PropertyKey[]; message: string; code: string }

const messagesOf = (issues: Issue[]) =>
  Object.fromEntries(
    issues.map(({ path, message, code }) => [
      path.join('.'),
      code === 'too_small' && path[0] === 'addresses' ? 'Enter email addresses, one on a line' : message,
    ]),
  )

/** Returns the first message of each field. That of a single address belongs to the whole field. */
function byField(messages: Record<string, string | undefined>): Errors {
  const entries = Object.entries(messages).map(([path, message]) => [path.split('.')[0], message])
  return Object.fromEntries(entries.toReversed())
}
