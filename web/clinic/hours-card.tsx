import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { ClinicSettings } from '../../core/contract/clinic.ts'
import { closedDaysInWords, closesDays } from '../../core/contract/hours-words.ts'
import { USUAL_HOURS, type WeekHours } from '../../core/contract/provider-rules.ts'
import { HttpError, sentenceOf } from '../lib/http.ts'
import { HoursFields, type HoursForm, hoursForm, readHours } from '../shared/rules/hours-fields.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Card } from './clinic-shell.tsx'
import { useSettingsChange } from './use-settings.ts'

type Body = { hours: WeekHours | null; time_zone: string | null }
type Typed = HoursForm & { time_zone: string }

/** Lets a clinic say when it is open. The time for its answers counts only then. */
export function HoursCard({ rules: { hours, time_zone } }: Pick<ClinicSettings, 'rules'>) {
  const form = useForm<Typed>({ defaultValues: { ...hoursForm(hours), time_zone: time_zone ?? '' } })
  const change = useSettingsChange()
  const [isSaved, setSaved] = useState(false)
  const [asked, setAsked] = useState<Body | null>(null)
  const { errors } = form.formState

  const submit = form.handleSubmit((typed) => {
    setSaved(false)
    const { hours: read, errors: wrong } = readHours(typed)
    if (showErrors(wrong)) return
    const body = { hours: read, time_zone: typed.time_zone.trim() || null }
    if (read && closesDays(hours ?? USUAL_HOURS, read)) setAsked(body)
    else save(body)
  })

  function save(body: Body) {
    setAsked(null)
    change.mutate({ body }, { onSuccess: () => setSaved(true), onError: (error) => showErrors(fieldsOf(error)) })
  }

  /** Shows errors at their fields, and focuses the first. Returns whether there was one. */
  function showErrors(wrong: Record<string, string>): boolean {
    const entries = Object.entries(wrong)
    for (const [position, [name, message]] of entries.entries()) {
      form.setError(name.split('.')[0] as keyof Typed, { message }, { shouldFocus: position === 0 })
    }
    return entries.length > 0
  }

  return (
    <Card title="Opening hours">
      <p className="max-w-[56ch]">
        The time for your answers counts only while you are open. Requests come at any time. New hours count for
        requests that you receive from then on.
      </p>
      {change.error && Object.keys(fieldsOf(change.error)).length === 0 && (
        <Alert title="The hours were not saved">{sentenceOf(change.error)}</Alert>
      )}
      <form noValidate className="grid gap-3" onSubmit={submit}>
        <div className="grid gap-x-4 gap-y-1 sm:grid-cols-3">
          <HoursFields field={(name) => ({ error: errors[name]?.message, ...form.register(name) })} />
        </div>
        <p role="status" className="min-h-6 text-good">
          {isSaved && !change.isPending && 'Saved.'}
        </p>
        <Button type="submit" className="justify-self-start" busy={change.isPending}>
          Save hours
        </Button>
      </form>
      {asked?.hours && (
        <ConfirmDialog
          title="Save these hours?"
          variant="primary"
          confirmLabel="Save hours"
          onConfirm={() => save(asked)}
          onClose={() => setAsked(null)}
        >
          <p>You would be closed {closedDaysInWords(asked.hours)}.</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

const fieldsOf = (error: Error): Record<string, string> => (error instanceof HttpError && error.fields) || {}
