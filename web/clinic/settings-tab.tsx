import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { InputOf } from '../../core/contract/call.ts'
import { type ClinicSettings, changeClinicSettings, getClinicSettings } from '../../core/providers/contract/clinic.ts'
import { call } from '../lib/call.ts'
import { formatDay, isoDayOf, startOfIsoDay } from '../lib/dates.ts'
import { HttpError, sentenceOf } from '../lib/http.ts'
import { formatCount } from '../lib/numbers.ts'
import { HoursFields } from '../shared/rules/hours-fields.tsx'
import { Button } from '../ui/button.tsx'
import { Alert } from '../ui/feedback.tsx'
import { Loaded } from '../ui/load-error.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Card, instead } from './clinic-shell.tsx'

/** The key of the session, which has the time zone. */
export const CLINIC_SESSION = ['clinic-session']
export const SETTINGS = ['clinic-settings']

export function useSettings() {
  return useQuery({ queryKey: SETTINGS, queryFn: () => call(getClinicSettings) })
}

/** Returns a mutation that changes settings, and shows the answer at once. */
function useSettingsChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<typeof changeClinicSettings>) => call(changeClinicSettings, input),
    onSuccess: (settings) => {
      client.setQueryData(SETTINGS, settings)
      // It has the time zone of the clinic.
      void client.invalidateQueries({ queryKey: CLINIC_SESSION })
    },
  })
}

type Rules = ClinicSettings['rules']

/** Lets a clinic pause new requests, limit them, and say when it is open. `isForPause`: a link has led to the pause. */
export function SettingsTab({ isForPause }: { isForPause: boolean }) {
  return (
    <Loaded of={useSettings()} fallback="Your settings could not be loaded." className="h-60 w-full">
      {({ rules, used }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Part isWanted={isForPause}>
            <Pause key={String(rules.is_paused)} rules={rules} />
          </Part>
          <Limits rules={rules} used={used} />
          <HoursCard rules={rules} />
        </div>
      )}
    </Loaded>
  )
}

/** Shows a part of the settings, and leads there if a link has asked for it. */
function Part({ isWanted, children }: { isWanted: boolean; children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isWanted) return
    part.current?.scrollIntoView({ block: 'start' })
    part.current?.focus({ preventScroll: true })
  }, [isWanted])
  return (
    <div ref={part} tabIndex={-1} className="scroll-mt-4 rounded-2xl">
      {children}
    </div>
  )
}

function Pause({ rules }: { rules: Rules }) {
  const change = useSettingsChange()
  if (rules.is_paused) {
    return (
      <Card title="New requests are paused">
        <p role="status">
          {rules.paused_until ? `Until ${formatDay(rules.paused_until)}.` : 'Until you end the pause.'} New requests go
          to other clinics. You keep the requests that you already have.
        </p>
        {change.error && <Alert title="The pause was not ended">{sentenceOf(change.error)}</Alert>}
        <Button
          className="justify-self-start"
          busy={change.isPending}
          onClick={() => change.mutate({ body: { is_paused: false, paused_until: null, paused_because: null } })}
        >
          Take requests again
        </Button>
      </Card>
    )
  }
  return (
    <Card title="Pause new requests">
      <p className="max-w-[56ch]">
        New requests go to other clinics while you are away or full. You keep the requests that you already have.
      </p>
      <form
        noValidate
        className="grid gap-x-4 sm:grid-cols-2"
        onSubmit={instead((form) => {
          const typed = new FormData(form)
          const [until, because] = ['until', 'because'].map((name) => String(typed.get(name)).trim())
          change.mutate({
            body: {
              is_paused: true,
              paused_until: until ? startOfIsoDay(until) : null,
              paused_because: because || null,
            },
          })
        })}
      >
        <TextField
          label="First day on which you take requests again (optional)"
          type="date"
          name="until"
          min={isoDayOf(new Date().toISOString())}
          error={change.error ? sentenceOf(change.error, 'paused_until') : undefined}
        />
        <TextField label="Reason (optional, for our team)" name="because" maxLength={200} />
        <Button type="submit" className="justify-self-start" busy={change.isPending}>
          Pause new requests
        </Button>
      </form>
    </Card>
  )
}

const LIMITS = [
  ['daily_cap', 'A day', 'day', 'today'],
  ['weekly_cap', 'A week', 'week', 'this week'],
  ['monthly_cap', 'A month', 'month', 'this month'],
] as const
type Cap = (typeof LIMITS)[number][0]

function Limits({ rules, used }: Pick<ClinicSettings, 'rules' | 'used'>) {
  const [typed, setTyped] = useState<Record<string, string>>({})
  const textOf = (field: Cap) => typed[field] ?? String(rules[field] ?? '')
  const change = useSettingsChange()
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const errors = change.error instanceof HttpError ? change.error.fields : undefined
  return (
    <Card title="Limits">
      {change.error && !errors && <Alert title="The limits were not saved">{sentenceOf(change.error)}</Alert>}
      <p className="max-w-[56ch]">Beyond these numbers, requests go to other clinics. An empty field means no limit.</p>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={instead(() => {
          const found = LIMITS.filter(([field]) => Number.isNaN(numberOf(textOf(field))))
          setWrong(Object.fromEntries(found.map(([field]) => [field, 'Write a whole number, or leave it empty'])))
          if (found.length > 0) return
          change.mutate({ body: Object.fromEntries(LIMITS.map(([field]) => [field, numberOf(textOf(field))])) })
        })}
      >
        <div className="grid gap-x-4 sm:grid-cols-3">
          {LIMITS.map(([field, label, period, now]) => (
            <TextField
              key={field}
              label={`${label} (${formatCount(used[period])} ${now})`}
              inputMode="numeric"
              value={textOf(field)}
              onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
              error={wrong[field] ?? errors?.[field]}
            />
          ))}
        </div>
        <SaveButton label="Save limits" isSaved={change.isSuccess} busy={change.isPending} />
      </form>
    </Card>
  )
}

function SaveButton({ label, isSaved, busy }: { label: string; isSaved: boolean; busy: boolean }) {
  return (
    <>
      <p role="status" className="min-h-6 text-good">
        {isSaved && !busy && 'Saved.'}
      </p>
      <Button type="submit" className="justify-self-start" busy={busy}>
        {label}
      </Button>
    </>
  )
}

/** Returns null for an empty field, and NaN for a text that is no number. */
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text.replaceAll(',', '')))

/** Lets a clinic say when it is open. The time for its answers counts only then. */
function HoursCard({ rules }: Pick<ClinicSettings, 'rules'>) {
  const [{ hours, time_zone }, setTyped] = useState(rules)
  const change = useSettingsChange()
  const fields = Object.entries((change.error instanceof HttpError && change.error.fields) || {})
  const errorOf = (name: string) => fields.find(([path]) => path.startsWith(name))?.[1]
  return (
    <Card title="Opening hours">
      <p className="max-w-[56ch]">
        Your time to answer counts only while you are open. Requests can come at any time. New hours apply to new
        requests.
      </p>
      {change.error && fields.length === 0 && (
        <Alert title="The hours were not saved">{sentenceOf(change.error)}</Alert>
      )}
      <form noValidate className="grid gap-3" onSubmit={instead(() => change.mutate({ body: { hours, time_zone } }))}>
        <HoursFields
          hours={hours}
          onHours={(next) => setTyped({ ...rules, hours: next, time_zone })}
          error={errorOf('hours')}
          zone={{
            value: time_zone ?? '',
            onChange: ({ target }) => setTyped({ ...rules, hours, time_zone: target.value || null }),
            error: errorOf('time_zone'),
          }}
          storedZone={rules.time_zone}
        />
        <SaveButton label="Save hours" isSaved={change.isSuccess} busy={change.isPending} />
      </form>
    </Card>
  )
}
