import { type ReactNode, useState } from 'react'
import { milesInWords } from '../../../core/contract/texts.ts'
import type { Overview } from '../../../core/insight/contract/overview.ts'
import type { LeadFilter } from '../../../core/leads/contract/leads.ts'
import { formatIsoDay } from '../../lib/dates.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Bars, DataTable, type Figure, LeadsLink, rateOf, Tiles } from './parts.tsx'

export function Delivery({ overview }: { overview: Overview }) {
  return (
    <>
      <Tiles of={tilesOf(overview)} className="grid-cols-2 md:grid-cols-4" />
      <Days overview={overview} />
      <Coverage {...overview.coverage} period={{ from: overview.from, to: overview.to }} />
    </>
  )
}

function tilesOf({ totals: { now }, deliveries, from, to }: Overview): Figure[] {
  const some = (count: number, what: string, filter: LeadFilter): ReactNode => {
    const words = `${formatCount(count)} ${what}`
    return count === 0 ? words : <LeadsLink filter={{ ...filter, from, to }}>{words}</LeadsLink>
  }
  const delivered = (name: string, kind: 'email' | 'crm', status: 'email_status' | 'crm_sync_status'): Figure => {
    const { success, pending, failed } = deliveries[kind]
    return {
      name,
      value: rateOf(success, success + failed),
      notes: [
        <span key="failed" className={failed > 0 ? 'font-semibold text-bad' : ''}>
          {some(failed, 'failed', { [status]: 'failed' })}
        </span>,
        some(pending, 'under way', { [status]: 'pending', held: false }),
      ],
    }
  }
  const toMatch = now.received - now.held
  return [
    {
      name: 'Matched with a provider',
      value: rateOf(toMatch - now.unmatched, toMatch),
      notes: [some(now.unmatched, 'unmatched', { unmatched: true })],
    },
    {
      name: 'Held for review',
      value: formatCount(now.held),
      notes: [now.held > 0 && some(now.held, 'held', { held: true })],
    },
    delivered('Emails delivered', 'email', 'email_status'),
    delivered('Leads in the CRM', 'crm', 'crm_sync_status'),
  ]
}

const STRIPES = 'bg-[repeating-linear-gradient(45deg,var(--color-wait-bright)_0_3px,transparent_3px_6px)]'
const DOTS = 'bg-[radial-gradient(var(--color-edge)_1.5px,transparent_1.5px)] bg-size-[5px_5px]'

/** The kinds of leads, from the bottom of a column to its top. Each has a pattern as well as a color. */
const KINDS = [
  { id: 'matched', name: 'Matched', look: 'bg-secondary' },
  { id: 'unmatched', name: 'Unmatched', look: `border border-wait-bright ${STRIPES}` },
  { id: 'held', name: 'Held', look: `border border-edge ${DOTS}` },
] as const
const COLUMNS = ['Day', 'Received', ...KINDS.map(({ name }) => name)]

function Days({ overview: { days } }: { overview: Overview }) {
  const [asTable, setAsTable] = useState(false)
  return (
    <Card
      title="Leads per day"
      action={
        <SmallButton onClick={() => setAsTable(!asTable)}>{asTable ? 'Show as chart' : 'Show as table'}</SmallButton>
      }
    >
      {asTable ? (
        <DataTable
          caption="Leads per day"
          columns={COLUMNS}
          rows={days.toReversed().map(({ day, received, ...counts }) => ({
            key: day,
            cells: [formatIsoDay(day), formatCount(received), ...KINDS.map(({ id }) => formatCount(counts[id]))],
          }))}
        />
      ) : (
        <DaysChart days={days} />
      )}
    </Card>
  )
}

function DaysChart({ days }: Pick<Overview, 'days'>) {
  const [pointed, setPointed] = useState<string>()
  const max = Math.max(1, ...days.map(({ received }) => received))
  const day = days.find((each) => each.day === pointed)
  const sum = (id: (typeof KINDS)[number]['id']) => days.reduce((total, each) => total + each[id], 0)
  const step = Math.ceil(days.length / 6)
  const gap = { columnGap: days.length > 45 ? 1 : '0.4%' }
  return (
    <div>
      <div className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <span className="font-semibold text-ink">{day ? formatIsoDay(day.day) : 'All days'}</span>
        {KINDS.map(({ id, name, look }) => (
          <span key={id} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-3.5 rounded-xs forced-color-adjust-none ${look}`} />
            {formatCount(day ? day[id] : sum(id))} {name.toLowerCase()}
          </span>
        ))}
      </div>
      <div aria-hidden="true" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-quiet tabular-nums">
        <div className="-my-2 flex flex-col justify-between text-right">
          <span>{formatCount(max)}</span>
          <span>0</span>
        </div>
        <div
          className="flex h-56 items-end border-y border-line"
          style={gap}
          onPointerLeave={() => setPointed(undefined)}
        >
          {days.map((each) => (
            <div
              key={each.day}
              onPointerEnter={() => setPointed(each.day)}
              className="flex h-full min-w-0 flex-1 flex-col-reverse forced-color-adjust-none hover:bg-mist"
            >
              {KINDS.filter(({ id }) => each[id] > 0).map(({ id, look }) => (
                <div key={id} className={look} style={{ height: `${(100 * each[id]) / max}%` }} />
              ))}
            </div>
          ))}
        </div>
        <div className="col-start-2 mt-1 flex" style={gap}>
          {days.map((each, index) => (
            <span key={each.day} className="min-w-0 flex-1 whitespace-nowrap">
              {index % step === 0 && formatIsoDay(each.day).replace(/, \d+$/, '')}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}

type Zip = Overview['coverage']['zips'][number]

type CoverageProps = Overview['coverage'] & { period: Pick<Overview, 'from' | 'to'> }

function Coverage({ zips, totalZips, period }: CoverageProps) {
  const [first] = zips
  const most = first?.leads ?? 1

  if (!first) {
    return (
      <Card title="Where to recruit">
        <p className="text-quiet">Every lead of this period had a provider in reach.</p>
      </Card>
    )
  }
  return (
    <Card title="Where to recruit" note={advice(zips, totalZips)}>
      <ol className="grid max-h-112 gap-x-8 gap-y-3 overflow-y-auto sm:grid-cols-2 xl:grid-cols-4">
        {zips.map((zip) => (
          <li key={zip.zip}>
            <div className="flex items-baseline justify-between gap-4">
              <p className="min-w-0 font-semibold text-ink">{placeOf(zip)}</p>
              <p className="shrink-0 text-sm tabular-nums">
                <LeadsLink filter={{ q: zip.zip, ...period }} label={`${countOf(zip.leads, 'lead')}: ${placeOf(zip)}`}>
                  {countOf(zip.leads, 'lead')}
                </LeadsLink>
              </p>
            </div>
            <div className="my-1">
              <Bars of={[zip.leads]} max={most} />
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
    </Card>
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
