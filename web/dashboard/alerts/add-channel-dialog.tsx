import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { addAlertChannel, CHANNEL_KINDS, NewAlertChannel } from '../../../core/contract/alerts.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'

type Kind = NewAlertChannel['kind']
const KINDS = NewAlertChannel.shape.kind.options

const HINTS: Record<Kind, string> = {
  email: 'One message to each address.',
  slack: 'The address of an incoming webhook of Slack, Mattermost or Rocket.Chat.',
  webhook: 'JSON to an address of yours, signed by Standard Webhooks.',
}

/** Adds a channel. A webhook’s secret is shown once, at the end. */
export function AddChannelDialog({ onClose }: { onClose: () => void }) {
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
            label="E-mail addresses, one on a line"
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
        <div className="mt-4 flex flex-wrap justify-end gap-3">
          <Button variant="outline" className="rounded-lg" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" className="rounded-lg" busy={adding.isPending}>
            Add the channel
          </Button>
        </div>
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
      code === 'too_small' && path[0] === 'addresses' ? 'Enter e-mail addresses, one on a line' : message,
    ]),
  )

/** Returns the first message of each field. That of a single address belongs to the whole field. */
function byField(messages: Record<string, string | undefined>): Errors {
  const entries = Object.entries(messages).map(([path, message]) => [path.split('.')[0], message])
  return Object.fromEntries(entries.toReversed())
}
