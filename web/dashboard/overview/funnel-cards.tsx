import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, Suspense, useState } from 'react'
import {
  FUNNEL_STAGES,
  type Funnel,
  FunnelDimension,
  type FunnelGroup,
  getFunnel,
  MAX_FUNNEL_GROUPS,
  type StageCounts,
} from '../../../core/insight/contract/overview.ts'
import type { LeadFilter } from '../../../core/leads/contract/leads.ts'
import { OUTCOME_WORDS, OutcomeKind } from '../../../core/leads/contract/outcomes.ts'
import { call } from '../../lib/call.ts'
import { type Days, formatIsoDay } from '../../lib/dates.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { countOf, formatCount, formatDuration, formatShare } from '../../lib/numbers.ts'
import { Skeleton } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { ChartCard, DataTable, LeadsLink, NONE, STAGE_WORDS } from './parts.tsx'

const Chart = lazyPart(() => import('./charts.tsx').then((part) => part.FunnelChart))

export function FunnelCards({ days }: { days: Days }) {
  const query = useQuery({
    queryKey: ['overview', 'funnel', days],
    queryFn: () => call(getFunnel, { query: days }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

  return (
    <Loaded of={query} fallback="Failed to load the outcomes" className="h-96 w-full">
      {(funnel) => (
        <div aria-busy={query.isPlaceholderData} className="grid gap-5 transition-opacity aria-busy:opacity-60">
          {funnel.madeUp > 0 && <MadeUp count={funnel.madeUp} />}
          <Stages funnel={funnel} />
          <FunnelGroups funnel={funnel} />
        </div>
      )}
    </Loaded>
  )
}

function MadeUp({ count }: { count: number }) {
  return (
    <p role="note" className="rounded-2xl border border-wait-bright bg-background px-4 py-3 text-ink">
      <strong>Demo data:</strong> {countOf(count, 'lead')} of these two periods {count === 1 ? 'is' : 'are'} made up. To
      delete all of them, run <code className="text-sm">npm run seed:demo -- --delete</code>.
    </p>
  )
}

function Stages({ funnel }: { funnel: Funnel }) {
  const { before } = funnel
  return (
    <ChartCard
      title="Outcomes of the leads"
      note={`By current outcome, compared with ${formatIsoDay(before.from)} to ${formatIsoDay(before.to)}.`}
      table={<StagesTable funnel={funnel} />}
    >
      <Suspense fallback={<Skeleton className="h-83 w-full" />}>
        <Chart leads={funnel.leads} />
      </Suspense>
      <p className="mt-3 text-[0.9375rem] text-ink">{peopleWords(funnel.people.now)}</p>
      <Outcomes funnel={funnel} />
      <Answers answers={funnel.answers} />
    </ChartCard>
  )
}

const peopleWords = ({ received, booked }: StageCounts) =>
  `The leads come from ${received === 1 ? '1 person' : `${formatCount(received)} people`}, of whom ${formatCount(booked)} booked.`

function Outcomes({ funnel: { outcomes, from, to } }: { funnel: Funnel }) {
  const found = OutcomeKind.options.filter((kind) => outcomes[kind] > 0)
  if (found.length === 0) return <p className="mt-1 text-[0.9375rem] text-quiet">No provider has answered yet.</p>
  return (
    <p className="mt-1 text-[0.9375rem] text-quiet">
      Current outcomes:{' '}
      {found.map((kind, index) => (
        <Fragment key={kind}>
          {index > 0 && ', '}
          <LeadsLink filter={{ outcome: kind, from, to }} className="inline-block py-0.5">
            {formatCount(outcomes[kind])} {OUTCOME_WORDS[kind].toLowerCase()}
          </LeadsLink>
        </Fragment>
      ))}
      .
    </p>
  )
}

function Answers({ answers: { now, before } }: Pick<Funnel, 'answers'>) {
  if (now.medianMs === null) return null
  const was = before.medianMs === null ? '' : ` (${formatDuration(before.medianMs)} before)`
  const inTime = now.due === 0 ? '' : ` In time: ${formatShare(now.inTime / now.due)}`
  const inTimeBefore = before.due === 0 ? '' : ` (${formatShare(before.inTime / before.due)} before)`
  return (
    <p className="mt-1 text-[0.9375rem] text-quiet">
      Median time to the first answer: {formatDuration(now.medianMs)}
      {was}.{inTime && `${inTime}${inTimeBefore}.`}
    </p>
  )
}

function StagesTable({ funnel: { leads, people, from, to } }: { funnel: Funnel }) {
  const shareOf = (stage: number) => (leads.now.received === 0 ? NONE : formatShare(stage / leads.now.received))
  return (
    <DataTable
      caption="Leads by stage"
      columns={[
        { name: 'Stage' },
        ...['Leads', 'Of received', 'Leads before', 'People', 'People before'].map((name) => ({
          name,
          isNumber: true,
        })),
      ]}
      rows={FUNNEL_STAGES.map((stage) => ({
        key: stage,
        cells: [
          STAGE_WORDS[stage],
          stage === 'received' && leads.now.received > 0 ? (
            <LeadsLink key="leads" filter={{ from, to }} className="inline-block min-w-6 py-0.5">
              {formatCount(leads.now.received)}
            </LeadsLink>
          ) : (
            formatCount(leads.now[stage])
          ),
          shareOf(leads.now[stage]),
          formatCount(leads.before[stage]),
          formatCount(people.now[stage]),
          formatCount(people.before[stage]),
        ],
      }))}
    />
  )
}

const DIMENSIONS: Record<FunnelDimension, { name: string; none: string }> = {
  clinic: { name: 'Provider', none: 'No provider' },
  source: { name: 'Source', none: 'Direct' },
  campaign: { name: 'Campaign', none: 'No campaign' },
  state: { name: 'State', none: 'Unknown' },
}

function FunnelGroups({ funnel }: { funnel: Funnel }) {
  const [dimension, setDimension] = useState<FunnelDimension>('clinic')
  const groups = funnel.groups[dimension]
  return (
    <ChartCard title="Funnel by provider, source, campaign and state" note={noteOf(funnel, dimension)}>
      <fieldset className="mb-4 flex w-fit flex-wrap rounded-[1.375rem] border border-edge bg-background p-1">
        <legend className="sr-only">Group by</legend>
        {FunnelDimension.options.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === dimension}
            onClick={() => setDimension(each)}
            className="min-h-8 rounded-md px-3.5 text-sm font-semibold text-ink transition-colors hover:bg-mist aria-pressed:bg-primary aria-pressed:text-background"
          >
            {DIMENSIONS[each].name}
          </button>
        ))}
      </fieldset>
      {groups.length === 0 ? (
        <p className="text-quiet">No leads with a campaign in this period.</p>
      ) : (
        <GroupsTable dimension={dimension} groups={groups} funnel={funnel} />
      )}
    </ChartCard>
  )
}

function noteOf({ totalGroups }: Funnel, dimension: FunnelDimension): string {
  const cut =
    totalGroups[dimension] > MAX_FUNNEL_GROUPS
      ? ` The ${formatCount(MAX_FUNNEL_GROUPS)} with the most leads of ${formatCount(totalGroups[dimension])}.`
      : ''
  return `Most leads first, with the number of the period before.${cut}`
}

function nameOf({ name, source }: FunnelGroup, dimension: FunnelDimension): string {
  if (name === null) return DIMENSIONS[dimension].none
  return dimension === 'campaign' ? `${name} (${source ?? DIMENSIONS.source.none})` : name
}

type TableProps = { dimension: FunnelDimension; groups: FunnelGroup[]; funnel: Funnel }

function GroupsTable({ dimension, groups, funnel: { from, to } }: TableProps) {
  return (
    <DataTable
      caption={`Stages by ${dimension}`}
      columns={[
        { name: DIMENSIONS[dimension].name, isLong: true },
        { name: STAGE_WORDS.received, isNumber: true },
        { name: 'Before', isNumber: true },
        ...FUNNEL_STAGES.slice(1).map((stage) => ({ name: STAGE_WORDS[stage], isNumber: true })),
      ]}
      rows={groups.map((group) => ({
        key: `${group.providerId} ${group.source} ${group.name}`,
        cells: [
          nameOf(group, dimension),
          <Received key="received" group={group} dimension={dimension} days={{ from, to }} />,
          formatCount(group.before.received),
          ...FUNNEL_STAGES.slice(1).map((stage) => formatCount(group.stages[stage])),
        ],
      }))}
    />
  )
}

type ReceivedProps = { group: FunnelGroup; dimension: FunnelDimension; days: { from: string; to: string } }

/** The number of leads, with a link to them where the list has such a filter. */
function Received({ group, dimension, days }: ReceivedProps) {
  const { received } = group.stages
  const filter = filterOf(group, dimension)
  if (!filter || received === 0) return formatCount(received)
  return (
    <LeadsLink
      filter={{ ...filter, ...days }}
      label={`${countOf(received, 'lead')}: ${nameOf(group, dimension)}`}
      className="inline-block min-w-6 py-0.5"
    >
      {formatCount(received)}
    </LeadsLink>
  )
}

/** Returns the filter of the leads of a group; undefined where the list has none. */
function filterOf({ name, source, providerId }: FunnelGroup, dimension: FunnelDimension): LeadFilter | undefined {
  switch (dimension) {
    case 'clinic':
      return providerId === null ? { unmatched: true } : { provider_id: providerId }
    case 'source':
      return { source: name ?? 'none' }
    case 'campaign':
      return { source: source ?? 'none', campaign: name ?? 'none' }
    case 'state':
      return name === null ? undefined : { state: name }
  }
}
