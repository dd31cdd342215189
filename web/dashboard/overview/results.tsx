import { Fragment, type ReactNode, useState } from 'react'
import {
  Dimension,
  type Figures,
  FUNNEL_STAGES,
  type FunnelStage,
  type Group,
  MAX_GROUPS,
  type Overview,
} from '../../../core/insight/contract/overview.ts'
import type { LeadFilter } from '../../../core/leads/contract/leads.ts'
import { OUTCOME_WORDS, OutcomeKind } from '../../../core/leads/contract/outcomes.ts'
import { formatIsoDay } from '../../lib/dates.ts'
import { countOf, formatCount, formatDuration } from '../../lib/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { sortable } from '../../ui/table.tsx'
import { ChoiceButtons } from '../../ui/tabs.tsx'
import { Bars, DataTable, type Figure, LeadsLink, MIN_WHOLE, rateOf, Tiles } from './parts.tsx'

type Props = { overview: Overview }

export function Results({ overview }: Props) {
  return (
    <>
      <Tiles of={tilesOf(overview)} className="grid-cols-2 md:grid-cols-5" />
      <Funnel overview={overview} />
      <Groups overview={overview} />
    </>
  )
}

function tilesOf({ totals, answerTime, from, to }: Overview): Figure[] {
  const { now, before } = totals
  const link = (count: number, filter: LeadFilter) =>
    count > 0 && <LeadsLink filter={{ ...filter, from, to }}>See the leads</LeadsLink>
  const ofReceived = (name: string, stage: 'reached' | 'booked'): Figure => ({
    name,
    value: rateOf(now[stage], now.received),
    notes: [
      <Change key="change" {...rates(stage, 'received', totals)} />,
      now.received >= MIN_WHOLE && `${formatCount(now[stage])} of ${formatCount(now.received)}`,
    ],
  })
  return [
    {
      name: 'Leads',
      value: formatCount(now.received),
      notes: [<Change key="change" {...numbers(now.received, before.received)} />, link(now.received, {})],
    },
    ofReceived('Reached', 'reached'),
    ofReceived('Booked', 'booked'),
    {
      name: 'Answered in time',
      value: rateOf(now.inTime, now.due),
      notes: [
        <Change key="change" {...rates('inTime', 'due', totals)} />,
        answerTime.now !== null && `Median ${formatDuration(answerTime.now)}`,
      ],
    },
    {
      name: 'Unmatched',
      value: formatCount(now.unmatched),
      notes: [
        <Change key="change" {...numbers(now.unmatched, before.unmatched)} fewerIsBetter />,
        link(now.unmatched, { unmatched: true }),
      ],
    },
  ]
}

type Difference = {
  /** Null where the numbers are too small to compare. */
  difference: number | null
  unit?: string
  before: string
}

const numbers = (now: number, before: number): Difference => ({ difference: now - before, before: formatCount(before) })

function rates(part: keyof Figures, whole: keyof Figures, { now, before }: Overview['totals']): Difference {
  const isEnough = now[whole] >= MIN_WHOLE && before[whole] >= MIN_WHOLE
  const points = 100 * (now[part] / now[whole] - before[part] / before[whole])
  return {
    difference: isEnough ? Math.round(points * 10) / 10 : null,
    unit: ' points',
    before: rateOf(before[part], before[whole]),
  }
}

function Change({ difference, unit = '', before, fewerIsBetter = false }: Difference & { fewerIsBetter?: boolean }) {
  const isMore = difference !== null && difference > 0
  const isBetter = isMore !== fewerIsBetter
  return (
    <span className="tabular-nums">
      {difference !== null && difference !== 0 && (
        <span className={`font-semibold ${isBetter ? 'text-good' : 'text-bad'}`}>
          <span aria-hidden="true">{isMore ? '▲' : '▼'} </span>
          {formatCount(Math.abs(difference))}
          {unit}
          <span className="sr-only">{`${isMore ? ' more' : ' less'}, which is ${isBetter ? 'better' : 'worse'};`}</span>{' '}
        </span>
      )}
      {difference === 0 ? 'Same as before' : difference === null ? `${before} before` : `(${before} before)`}
    </span>
  )
}

const STAGE_WORDS: Record<FunnelStage, string> = {
  received: 'Received',
  delivered: 'Delivered',
  opened: 'Opened',
  reached: 'Reached',
  booked: 'Booked',
  attended: 'Came',
}

function Funnel({ overview: { totals, before: days, outcomes, from, to } }: Props) {
  const { now, before } = totals
  const found = OutcomeKind.options.filter((kind) => outcomes[kind] > 0)
  return (
    <Card
      title="Funnel"
      note={`Thick bars are this period, thin bars ${formatIsoDay(days.from)} to ${formatIsoDay(days.to)}. Newer leads have had less time.`}
    >
      <DataTable
        caption="Leads by stage"
        columns={['Stage', 'Leads', 'Of received', 'Before', 'Of received before']}
        rows={FUNNEL_STAGES.map((stage) => ({
          key: stage,
          cells: [
            <span
              key="stage"
              className="grid items-center gap-x-3 sm:grid-cols-[5.5rem_minmax(0,1fr)] sm:min-w-56 lg:min-w-96"
            >
              {STAGE_WORDS[stage]}
              <Bars of={[now[stage], before[stage]]} max={Math.max(now.received, before.received)} />
            </span>,
            ...[formatCount(now[stage]), rateOf(now[stage], now.received)],
            ...[formatCount(before[stage]), rateOf(before[stage], before.received)],
          ],
        }))}
      />
      <p className="mt-2 text-sm text-quiet">
        {found.length === 0 ? 'No provider has answered yet.' : 'Current outcomes: '}
        {found.map((kind, index) => (
          <Fragment key={kind}>
            {/* The comma stays with its link. */}
            <span className="whitespace-nowrap">
              <LeadsLink filter={{ outcome: kind, from, to }}>
                {formatCount(outcomes[kind])} {OUTCOME_WORDS[kind].toLowerCase()}
              </LeadsLink>
              {index < found.length - 1 && ','}
            </span>{' '}
          </Fragment>
        ))}
      </p>
    </Card>
  )
}

const DIMENSIONS: Record<Dimension, { name: string; none: string }> = {
  source: { name: 'Source', none: 'Direct' },
  provider: { name: 'Provider', none: 'No provider' },
  state: { name: 'State', none: 'Unknown' },
  campaign: { name: 'Campaign', none: 'No campaign' },
}

/** The columns of numbers. One with `of` is a rate. */
const COLUMNS: { name: string; count: keyof Figures; of?: keyof Figures; isBefore?: true }[] = [
  { name: 'Leads', count: 'received' },
  { name: 'Before', count: 'received', isBefore: true },
  { name: 'Reached', count: 'reached', of: 'received' },
  { name: 'Booked', count: 'booked', of: 'received' },
  { name: 'Came', count: 'attended', of: 'received' },
  { name: 'In time', count: 'inTime', of: 'due' },
  { name: 'Unmatched', count: 'unmatched' },
]
type Column = (typeof COLUMNS)[number]
type Compared = Pick<Group, 'now' | 'before'>

/** Returns the value that a column is sorted by; null for a share of few leads, which says nothing. */
function sortValue({ now, before }: Compared, { count, of, isBefore }: Column): number | null {
  const figures = isBefore ? before : now
  if (of === undefined) return figures[count]
  return figures[of] < MIN_WHOLE ? null : figures[count] / figures[of]
}

/** Orders groups by a column, or by their names without one. Those without a value come last. */
function sortedBy(groups: Group[], column: Column | undefined, sign: 1 | -1, nameOf: (group: Group) => string) {
  return groups.toSorted((one, other) => {
    if (!column) return sign * nameOf(one).localeCompare(nameOf(other), 'en')
    const [a, b] = [sortValue(one, column), sortValue(other, column)]
    return a === null || b === null ? Number(a === null) - Number(b === null) : sign * (a - b)
  })
}

function Groups({ overview }: Props) {
  const [dimension, setDimension] = useState<Dimension>('source')
  /** The name of a column, with `-` in front from the highest. */
  const [sort, setSort] = useState('-Leads')
  const groups = overview.groups[dimension]
  const all = overview.totalGroups[dimension]
  const columns = COLUMNS.filter(({ name }) => name !== 'Unmatched' || dimension !== 'provider')
  const column = columns.find(({ name }) => name === sort.replace('-', ''))
  const nameOf = (group: Group) => groupName(group, dimension)
  const headOf = (label: string, descendsFirst: boolean) =>
    sortable({ label, key: label, sort, descendsFirst, onSort: setSort })
  return (
    <Card
      title={`Results by ${DIMENSIONS[dimension].name.toLowerCase()}`}
      note={all > MAX_GROUPS && `The ${formatCount(MAX_GROUPS)} with the most leads of ${formatCount(all)}.`}
      action={
        <ChoiceButtons
          legend="Group by"
          options={Dimension.options.map((each) => [each, DIMENSIONS[each].name])}
          chosen={dimension}
          onChoose={setDimension}
        />
      }
    >
      {groups.length === 0 ? (
        <p className="text-quiet">No leads with a campaign in this period.</p>
      ) : (
        <DataTable
          caption={`Results by ${dimension}`}
          columns={[headOf(DIMENSIONS[dimension].name, false), ...columns.map(({ name }) => headOf(name, true))]}
          rows={sortedBy(groups, column, sort.startsWith('-') ? -1 : 1, nameOf).map((group) => ({
            key: `${group.providerId} ${group.source} ${group.name}`,
            cells: [
              nameOf(group),
              <Received key="received" group={group} dimension={dimension} days={overview} />,
              ...columns.slice(1).map((each) => numberOf(group, each)),
            ],
          }))}
          total={['All leads', ...columns.map((each) => numberOf(overview.totals, each))]}
        />
      )}
    </Card>
  )
}

function numberOf({ now, before }: Compared, { name, count, of, isBefore }: Column): ReactNode {
  const figures = isBefore ? before : now
  if (of === undefined) return formatCount(figures[count])
  return (
    <Fragment key={name}>
      {rateOf(figures[count], figures[of])}
      {figures[of] >= MIN_WHOLE && (
        <span className="ml-1.5 inline-block min-w-7 font-normal text-quiet">{formatCount(figures[count])}</span>
      )}
    </Fragment>
  )
}

function groupName({ name, source }: Group, dimension: Dimension): string {
  if (name === null) return DIMENSIONS[dimension].none
  return dimension === 'campaign' ? `${name} (${source ?? DIMENSIONS.source.none})` : name
}

type ReceivedProps = { group: Group; dimension: Dimension; days: Pick<Overview, 'from' | 'to'> }

function Received({ group, dimension, days: { from, to } }: ReceivedProps) {
  const { received } = group.now
  const filter = filterOf(group, dimension)
  if (!filter || received === 0) return formatCount(received)
  return (
    <LeadsLink filter={{ ...filter, from, to }} label={`${countOf(received, 'lead')}: ${groupName(group, dimension)}`}>
      {formatCount(received)}
    </LeadsLink>
  )
}

/** Returns the filter of the leads of a group; undefined where the list has none. */
function filterOf({ name, source, providerId }: Group, dimension: Dimension): LeadFilter | undefined {
  switch (dimension) {
    case 'provider':
      return providerId === null ? { unmatched: true } : { provider_id: providerId }
    case 'source':
      return { source: name ?? 'none' }
    case 'campaign':
      return { source: source ?? 'none', campaign: name ?? 'none' }
    case 'state':
      return name === null ? undefined : { state: name }
  }
}
