import { type ComponentProps, useId } from 'react'
import { timeZoneName, yesterday } from '../../lib/dates.ts'
import type { Period } from './period.ts'

const PRESETS: [name: string, period: () => Period][] = [
  ['Today', () => ({ days: 1 })],
  ['Yesterday', yesterday],
  ['7 days', () => ({ days: 7 })],
  ['30 days', () => ({ days: 30 })],
  ['90 days', () => ({ days: 90 })],
]

type Props = {
  period: Period
  /** The days that are shown, once they are known. */
  shown: { from: string; to: string } | undefined
  onChoose: (next: (now: Period) => Period) => void
}

export function PeriodPicker({ period, shown, onChoose }: Props) {
  const isChosen = (preset: Period) => JSON.stringify(preset) === JSON.stringify(period)
  const daysIn = (some: Period) => ('from' in some ? some : shown)
  const days = daysIn(period)

  // A date input is empty while somebody types.
  const choose = (change: { from?: string; to?: string }) =>
    onChoose((now) => {
      const { from, to } = { from: '', to: '', ...daysIn(now), ...change }
      return from && to ? { from, to } : now
    })

  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <fieldset className="flex flex-wrap rounded-[1.375rem] border border-edge bg-white p-1">
          <legend className="sr-only">Period</legend>
          {PRESETS.map(([name, preset]) => (
            <button
              key={name}
              type="button"
              aria-pressed={isChosen(preset())}
              onClick={() => onChoose(preset)}
              className="min-h-8 rounded-full px-2 text-sm font-semibold text-ink transition-colors hover:bg-mist sm:px-3.5 aria-pressed:bg-primary aria-pressed:text-white"
            >
              {name}
            </button>
          ))}
        </fieldset>
        <div className="flex flex-wrap gap-3">
          <DayField label="From" value={days?.from ?? ''} max={days?.to} onDay={(from) => choose({ from })} />
          <DayField label="To" value={days?.to ?? ''} min={days?.from} onDay={(to) => choose({ to })} />
        </div>
      </div>
      <p className="text-sm text-quiet">Days are in {timeZoneName()}.</p>
    </div>
  )
}

function DayField({
  label,
  onDay,
  ...input
}: { label: string; onDay: (day: string) => void } & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-quiet">
        {label}
      </label>
      <input
        id={id}
        type="date"
        {...input}
        onChange={({ target }) => onDay(target.value)}
        className="min-h-10 rounded-lg border border-edge bg-white px-2 text-sm text-ink hover:border-secondary"
      />
    </div>
  )
}
