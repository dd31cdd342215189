import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, Suspense } from 'react'
import { FUNNEL_STAGES, type Funnel, getFunnel, type StageCounts } from '../../../core/contract/funnel.ts'
import { OUTCOME_WORDS, OutcomeKind } from '../../../core/contract/outcomes.ts'
import { call } from '../../lib/call.ts'
import { type Days, formatIsoDay } from '../../lib/dates.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { countOf, formatCount, formatDuration, formatShare } from '../../lib/numbers.ts'
import { LoadError } from '../../ui/load-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FunnelGroups } from './funnel-groups.tsx'
import { ChartCard, DataTable, LeadsLink } from './parts.tsx'
import { NONE, STAGE_WORDS } from './series.ts'

const Chart = lazyPart(() => import('./charts.tsx').then((part) => part.FunnelChart))

/** Shows what became of the leads of a period: stages and groups. */
export function FunnelCards({ days }: { days: Days }) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['overview', 'funnel', days],
    queryFn: () => call(getFunnel, { query: days }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

  return (
    <>
      <LoadError fallback="Failed to load what became of the leads" {...{ error, isFetching }} onRetry={refetch} />
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && (
        <div aria-busy={isPlaceholderData} className="grid gap-5 transition-opacity aria-busy:opacity-60">
          {data.madeUp > 0 && <MadeUp count={data.madeUp} />}
          <Stages funnel={data} />
          <FunnelGroups funnel={data} />
        </div>
      )}
    </>
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
      title="What became of the leads"
      note={`By their present outcome, beside ${formatIsoDay(before.from)} to ${formatIsoDay(before.to)}.`}
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

/** Lists the present outcomes, each with a link to its leads. */
function Outcomes({ funnel: { outcomes, from, to } }: { funnel: Funnel }) {
  const found = OutcomeKind.options.filter((kind) => outcomes[kind] > 0)
  if (found.length === 0) return <p className="mt-1 text-[0.9375rem] text-quiet">No clinic has answered yet.</p>
  return (
    <p className="mt-1 text-[0.9375rem] text-quiet">
      Present outcomes:{' '}
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
