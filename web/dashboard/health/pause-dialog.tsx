import { type FormEvent, useId, useState } from 'react'
import { NewSendingPause, pauseSending, SENDING_WORDS, type SendingId } from '../../../core/contract/integrations.ts'
import { call } from '../../lib/call.ts'
import { formatSoon, hourOfDay, momentOfInput, timeZoneName } from '../../lib/dates.ts'
import { SECOND } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { INTEGRATIONS } from '../sending-pauses.ts'

const HOUR = 60 * 60 * SECOND

type Choice = 'hour' | 'evening' | 'morning' | 'other'

/** The choices of an end. The evening is offered until it comes. */
function choices(): { choice: Choice; label: string; until?: string }[] {
  const evening = hourOfDay(0, 17)
  return [
    { choice: 'hour', label: 'For 1 hour', until: new Date(Date.now() + HOUR).toISOString() },
    ...(Date.parse(evening) > Date.now()
      ? [{ choice: 'evening' as const, label: 'Until 5 PM today', until: evening }]
      : []),
    { choice: 'morning', label: 'Until tomorrow, 8 AM', until: hourOfDay(1, 8) },
    { choice: 'other', label: 'Until another time' },
  ]
}

/** Asks until when sending pauses, and why. */
export function PauseDialog({ integration, onClose }: { integration: SendingId; onClose: () => void }) {
  const name = useId()
  const [offered] = useState(choices)
  const [choice, setChoice] = useState<Choice>('hour')
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useState<Record<string, string[] | undefined>>({})
  const { deliveries, name: side } = SENDING_WORDS[integration]
  const pausing = useAction({
    act: (body: NewSendingPause) => call(pauseSending, { body }),
    done({ until }) {
      toast({ title: 'Success', description: `Sending ${deliveries} is paused until ${formatSoon(until)}` })
      onClose()
    },
    failed: 'Failed to pause',
    changes: INTEGRATIONS,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    // “For 1 hour” counts from now, and not from when the dialog was opened.
    const until = choice === 'other' ? momentOfInput(typed) : choices().find((each) => each.choice === choice)?.until
    const parsed = NewSendingPause.safeParse({ integration, until, reason })
    const fields = parsed.error?.issues.map(({ path, message }) => [String(path[0]), [message]])
    setErrors(Object.fromEntries(fields ?? []))
    if (parsed.success) pausing.mutate(parsed.data)
  }

  return (
    <Dialog title={`Pause sending ${deliveries}`} className="w-md max-w-full p-6" onClose={onClose}>
      <form noValidate onSubmit={submit} className="mt-2 grid gap-3 text-sm">
        <p>
          Nothing is sent to {side} until then. Deliveries wait, and use up no attempts.
          {integration === 'mail' && ' This includes e-mails to visitors, sign-in links and codes.'}
        </p>
        <fieldset className="grid">
          <legend className="font-semibold text-ink">Until when</legend>
          {offered.map((each) => (
            <label key={each.choice} className="flex min-h-9 items-center gap-2 max-lg:min-h-11">
              <input
                type="radio"
                name={name}
                checked={choice === each.choice}
                onChange={() => setChoice(each.choice)}
                className="size-4 accent-secondary"
              />
              {each.label}
            </label>
          ))}
          {choice !== 'other' && errors.until && (
            <p role="alert" className="text-bad">
              {errors.until[0]}
            </p>
          )}
        </fieldset>
        {choice === 'other' && (
          <TextField
            label={`Day and time (${timeZoneName()})`}
            type="datetime-local"
            value={typed}
            error={errors.until?.[0]}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        <TextField
          label="Reason"
          placeholder="Maintenance until the evening"
          autoComplete="off"
          value={reason}
          error={errors.reason?.[0]}
          onChange={({ target }) => setReason(target.value)}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={pausing.isPending}>
            Pause sending
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
