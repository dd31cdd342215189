import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getOverview, type Overview } from '../../../core/contract/overview.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { LoadError } from '../../ui/load-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Coverage } from './coverage.tsx'
import { Failures } from './failures.tsx'
import { KeyFigures } from './key-figures.tsx'
import { LeadsPerDay } from './leads-per-day.tsx'
import { daysOf, usePeriod } from './period.ts'
import { PeriodPicker } from './period-picker.tsx'

/** How a period went, for those who rather look than read. `actions` are what can be done about it. */
export function OverviewPanel({ actions }: { actions?: ReactNode }) {
  const { period, choose } = usePeriod()
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['overview', period],
    queryFn: () => call(getOverview, { query: daysOf(period) }),
    // What was asked for before stays in sight while another period is loaded.
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <PeriodPicker period={period} shown={data} onChoose={choose} />
        {actions}
      </div>
      <LoadError fallback="Failed to load the overview" {...{ error, explain, isFetching }} onRetry={refetch} />
      {!data && !error && <Loading />}
      {data && (
        <div aria-busy={isPlaceholderData} className="grid gap-5 transition-opacity aria-busy:opacity-60">
          <KeyFigures overview={data} />
          <Charts overview={data} />
        </div>
      )}
    </div>
  )
}

function Charts({ overview: { totals, days, failures, coverage, from, to } }: { overview: Overview }) {
  if (totals.received === 0) {
    return (
      <p className="rounded-2xl border border-line bg-white px-6 py-14 text-center text-quiet">
        No leads in this period. Choose another one above.
      </p>
    )
  }
  return (
    <>
      <LeadsPerDay days={days} />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Failures failures={failures} period={{ from, to }} />
        <Coverage {...coverage} />
      </div>
    </>
  )
}

function Loading() {
  return (
    <div className="grid gap-5">
      <p role="status" className="sr-only">
        Loading...
      </p>
      <Skeleton className="h-64 w-full lg:h-60" />
      <Skeleton className="h-96 w-full" />
    </div>
  )
}

function explain(error: Error): string {
  const said = error instanceof HttpError && error.status < 500 ? error.sentence : undefined
  return said ?? error.message
}
