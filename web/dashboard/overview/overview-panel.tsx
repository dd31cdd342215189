import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsNumberLiteral, parseAsString, useQueryStates } from 'nuqs'
import { type ComponentProps, type ReactNode, Suspense, useId } from 'react'
import { getOverview, type Overview } from '../../../core/insight/contract/overview.ts'
import type { LeadFilter } from '../../../core/leads/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { type Days, lastDays, timeZoneName, yesterday } from '../../lib/dates.ts'
import { milesInWords } from '../../lib/distance.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { countOf, formatCount, formatShare } from '../../lib/numbers.ts'
import { Skeleton } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { FunnelCards } from './funnel-cards.tsx'
import { ChartCard, DataTable, formatLongDate, KINDS, LeadsLink, NONE, ShareBar, TOUCHABLE } from './parts.tsx'

export function OverviewPanel() {
  const { period, choose } = usePeriod()
  const query = useQuery({
    queryKey: ['overview', period],
    queryFn: () => call(getOverview, { query: daysOf(period) }),
    // The previous period stays visible while another one loads.
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

  return (
    <div className="grid gap-5">
      <PeriodPicker period={period} shown={query.data} onChoose={choose} />
      <Loaded of={query} fallback="Failed to load the overview" className="h-96 w-full">
        {(overview) => (
          <div aria-busy={query.isPlaceholderData} className="grid gap-5 transition-opacity aria-busy:opacity-60">
            <KeyFigures overview={overview} />
            {overview.totals.received === 0 ? (
              <p className="rounded-2xl border border-line bg-background px-6 py-14 text-center text-quiet">
                No leads in this period. Choose another one above.
              </p>
            ) : (
              <>
                <LeadsPerDay days={overview.days} />
                <FunnelCards days={daysOf(period)} />
                <Coverage {...overview.coverage} period={{ from: overview.from, to: overview.to }} />
              </>
            )}
          </div>
        )}
      </Loaded>
    </div>
  )
}

type Figure = { name: string; value: string; note: ReactNode }

function KeyFigures({ overview }: { overview: Overview }) {
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-2xl border border-line bg-line gap-px lg:grid-cols-4">
      {figures(overview).map(({ name, value, note }) => (
        <div key={name} className="bg-background p-4">
          <dt className="text-sm text-quiet">{name}</dt>
          <dd className="mt-1 font-display text-3xl font-medium text-ink sm:text-4xl">{value}</dd>
          <dd className="mt-1 text-sm text-quiet">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

function figures({ totals, deliveries, from, to }: Overview): Figure[] {
  const some = (count: number, what: string, filter: LeadFilter) => {
    const words = `${formatCount(count)} ${what}`
    return count === 0 ? words : <LeadsLink filter={{ ...filter, from, to }}>{words}</LeadsLink>
  }
  const { received, matched, unmatched, held, matchedShare } = totals
  const delivered = (status: 'email_status' | 'crm_sync_status') => {
    const { success, pending, failed } = deliveries[status === 'email_status' ? 'email' : 'crm']
    const settled = success + failed
    return {
      value: settled === 0 ? NONE : formatShare(success / settled),
      note: (
        <>
          {some(failed, 'failed', { [status]: 'failed' })},{' '}
          {some(pending, 'under way', { [status]: 'pending', held: false })}
        </>
      ),
    }
  }

  return [
    {
      name: 'Leads received',
      value: formatCount(received),
      note: some(held, 'held for review', { held: true }),
    },
    {
      name: 'Matched with a provider',
      value: matchedShare === null ? NONE : formatShare(matchedShare),
      note: (
        <>
          {formatCount(matched)} matched, {some(unmatched, 'unmatched', { unmatched: true })}
        </>
      ),
    },
    { name: 'Emails delivered', ...delivered('email_status') },
    { name: 'Leads in the CRM', ...delivered('crm_sync_status') },
  ]
}

const Chart = lazyPart(() => import('./charts.tsx').then((part) => part.LeadsPerDayChart))

function LeadsPerDay({ days }: { days: Overview['days'] }) {
  return (
    <ChartCard title="Leads per day" table={<DaysTable days={days} />}>
      <Suspense fallback={<Skeleton className="h-79 w-full" />}>
        <Chart days={days} />
      </Suspense>
    </ChartCard>
  )
}

function DaysTable({ days }: { days: Overview['days'] }) {
  return (
    <DataTable
      caption="Leads per day"
      columns={[
        { name: 'Day' },
        ...['Received', ...KINDS.map(({ name }) => name)].map((name) => ({ name, isNumber: true })),
      ]}
      rows={days.toReversed().map(({ day, received, ...counts }) => ({
        key: day,
        cells: [formatLongDate(day), formatCount(received), ...KINDS.map(({ id }) => formatCount(counts[id]))],
      }))}
    />
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
    <div className="grid gap-2">
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <fieldset className="flex flex-wrap rounded-lg border border-edge bg-background p-0.5">
          <legend className="sr-only">Period</legend>
          {PRESETS.map(([name, preset]) => (
            <button
              key={name}
              type="button"
              aria-pressed={isChosen(preset())}
              onClick={() => onChoose(preset)}
              className="min-h-8 rounded-md px-2 text-sm font-semibold text-ink transition-colors hover:bg-mist sm:px-3.5 aria-pressed:bg-primary aria-pressed:text-background"
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
      <p className="text-sm text-quiet">Dates are in {timeZoneName()}.</p>
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
        className="min-h-10 rounded-lg border border-edge bg-background px-2 text-sm text-ink hover:border-secondary"
      />
    </div>
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

type Zip = Overview['coverage']['zips'][number]

type CoverageProps = Overview['coverage'] & { period: Pick<Overview, 'from' | 'to'> }

/** Shows the places of leads without a provider in reach, which are the best places for new clinics. */
function Coverage({ zips, totalZips, period }: CoverageProps) {
  const [first] = zips
  const most = first?.leads ?? 1

  if (!first) {
    return (
      <ChartCard title="Where to recruit">
        <p className="text-quiet">Every lead of this period had a provider in reach.</p>
      </ChartCard>
    )
  }
  return (
    <ChartCard title="Where to recruit" note={advice(zips, totalZips)}>
      <ol className="grid max-h-112 gap-x-8 gap-y-4 overflow-y-auto sm:grid-cols-2 xl:grid-cols-4">
        {zips.map((zip) => (
          <li key={zip.zip}>
            <div className="flex items-baseline justify-between gap-4">
              <p className="min-w-0 font-semibold text-ink">{placeOf(zip)}</p>
              <p className="shrink-0 text-sm tabular-nums">
                <LeadsLink
                  filter={{ q: zip.zip, ...period }}
                  label={`${countOf(zip.leads, 'lead')}: ${placeOf(zip)}`}
                  className={TOUCHABLE}
                >
                  {countOf(zip.leads, 'lead')}
                </LeadsLink>
              </p>
            </div>
            <div className="my-1">
              <ShareBar share={zip.leads / most} />
            </div>
            <p className="text-sm text-quiet">
              {zip.zip}
              {zip.nearestMiles !== null &&
                `, nearest provider ${formatCount(Math.round(zip.nearestMiles))} miles away`}
              {byHandWords(zip) && `; ${byHandWords(zip)}`}
            </p>
          </li>
        ))}
      </ol>
    </ChartCard>
  )
}

function advice([first]: Zip[], totalZips: number): string {
  if (!first) return ''
  const far =
    first.nearestMiles === null
      ? ''
      : `; the nearest provider is ${formatCount(Math.round(first.nearestMiles))} miles away`
  return `Leads with no provider in reach came from ${countOf(totalZips, 'zip code')}. A provider near ${placeOf(first)} would have covered most of them: ${countOf(first.leads, 'lead')}${far}.`
}

/** Returns, for example, `of these 1 was matched by hand, 183 miles`. Empty if none was. */
function byHandWords({ matchedByHand: count, matchedMiles }: Zip): string {
  if (count === 0) return ''
  const miles = matchedMiles === null ? '' : `, ${count > 1 ? 'up to ' : ''}${milesInWords(matchedMiles)}`
  return `of these ${formatCount(count)} ${count === 1 ? 'was' : 'were'} matched by hand${miles}`
}

function placeOf({ city, state, zip }: Zip): string {
  return [city, state].filter(Boolean).join(', ') || `Zip code ${zip}`
}
