import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsNumberLiteral, parseAsString, useQueryState, useQueryStates } from 'nuqs'
import type { ComponentProps } from 'react'
import { getOverview } from '../../../core/insight/contract/overview.ts'
import { call } from '../../lib/call.ts'
import { type Days, lastDays, timeZoneName, yesterday } from '../../lib/dates.ts'
import { countOf } from '../../lib/numbers.ts'
import { Loaded } from '../../ui/load-error.tsx'
import { ChoiceButtons, Tabs } from '../../ui/tabs.tsx'
import { Delivery } from './delivery.tsx'
import { Results } from './results.tsx'

export function OverviewPanel() {
  const { period, choose } = usePeriod()
  const [page, setPage] = useQueryState('show', parseAsString)
  const query = useQuery({
    queryKey: ['overview', period],
    queryFn: () => call(getOverview, { query: daysOf(period) }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
  const panelOf = (Page: typeof Results) => (
    <Loaded of={query} fallback="Failed to load the overview" className="h-96 w-full">
      {(overview) => (
        <div
          aria-busy={query.isPlaceholderData}
          className="grid grid-cols-[minmax(0,1fr)] gap-4 transition-opacity aria-busy:opacity-60"
        >
          {overview.madeUp > 0 && <MadeUp count={overview.madeUp} />}
          {overview.totals.now.received === 0 ? (
            <p className="rounded-lg border border-line bg-background px-6 py-14 text-center text-quiet">
              No leads in this period. Choose another one above.
            </p>
          ) : (
            <Page overview={overview} />
          )}
        </div>
      )}
    </Loaded>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
      <PeriodPicker period={period} shown={query.data} onChoose={choose} />
      <Tabs
        label="Pages of the overview"
        chosen={page}
        onChoose={(id) => void setPage(id === 'delivery' ? id : null)}
        tabs={[
          { id: 'results', label: 'Results', panel: panelOf(Results) },
          { id: 'delivery', label: 'Delivery', panel: panelOf(Delivery) },
        ]}
      />
    </div>
  )
}

function MadeUp({ count }: { count: number }) {
  return (
    <p role="note" className="rounded-lg border border-wait-bright bg-background px-4 py-2 text-ink">
      <strong>Demo data:</strong> {countOf(count, 'lead')} of these two periods {count === 1 ? 'is' : 'are'} made up. To
      delete all of them, run <code className="text-sm">npm run seed:demo -- --delete</code>.
    </p>
  )
}

const PRESETS: [name: string, period: () => Period][] = [
  ['Today', () => ({ days: 1 })],
  ['Yesterday', yesterday],
  ['7 days', () => ({ days: 7 })],
  ['30 days', () => ({ days: 30 })],
  ['90 days', () => ({ days: 90 })],
]

type Props = {
  period: Period
  shown: { from: string; to: string } | undefined
  onChoose: (next: (now: Period) => Period) => void
}

function PeriodPicker({ period, shown, onChoose }: Props) {
  const isChosen = (preset: Period) => JSON.stringify(preset) === JSON.stringify(period)
  const daysIn = (some: Period) => ('from' in some ? some : shown)
  const days = daysIn(period)

  // A date input is empty while it is edited.
  const choose = (change: { from?: string; to?: string }) =>
    onChoose((now) => {
      const { from, to } = { from: '', to: '', ...daysIn(now), ...change }
      return from && to ? { from, to } : now
    })

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <ChoiceButtons
        legend="Period"
        options={PRESETS.map(([name]) => [name, name])}
        chosen={PRESETS.find(([, preset]) => isChosen(preset()))?.[0] ?? ''}
        onChoose={(name) => onChoose((now) => PRESETS.find(([each]) => each === name)?.[1]() ?? now)}
      />
      <DayField label="From" value={days?.from ?? ''} max={days?.to} onDay={(from) => choose({ from })} />
      <DayField label="To" value={days?.to ?? ''} min={days?.from} onDay={(to) => choose({ to })} />
      <p className="text-quiet">Dates are in {timeZoneName()}.</p>
    </div>
  )
}

type DayProps = { label: string; onDay: (day: string) => void } & ComponentProps<'input'>

function DayField({ label, onDay, ...input }: DayProps) {
  return (
    <label className="flex items-center gap-2 text-quiet">
      {label}
      <input
        type="date"
        {...input}
        onChange={({ target }) => onDay(target.value)}
        className="min-h-9 rounded-lg border border-edge bg-background px-2 text-ink hover:border-secondary max-lg:min-h-11"
      />
    </label>
  )
}

/** The lengths that a period up to today can have, in days. */
const LENGTHS = [1, 7, 30, 90] as const
const USUAL = 30

type Period = { days: number } | Days

const address = { days: parseAsNumberLiteral(LENGTHS), from: parseAsString, to: parseAsString }
const UNCHOSEN = { days: null, from: null, to: null }

function usePeriod() {
  const [values, setValues] = useQueryStates(address, { history: 'replace' })
  const choose = (next: (now: Period) => Period) =>
    void setValues((now) => ({ ...UNCHOSEN, ...(next(periodOf(now)) as Partial<typeof now>) }))
  return { period: periodOf(values), choose }
}

function periodOf({ days, from, to }: { days: number | null; from: string | null; to: string | null }): Period {
  return from && to ? { from, to } : { days: days ?? USUAL }
}

function daysOf(period: Period): Days {
  return 'from' in period ? period : lastDays(period.days)
}
