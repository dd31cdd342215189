import { Suspense } from 'react'
import type { Overview } from '../../../core/contract/overview.ts'
import { timeZoneName } from '../../lib/dates.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatLongDate, KINDS } from './days.ts'
import { ChartCard, DataTable } from './parts.tsx'

const Chart = lazyPart(() => import('./charts.tsx').then((part) => part.LeadsPerDayChart))

export function LeadsPerDay({ days }: { days: Overview['days'] }) {
  return (
    <ChartCard title="Leads per day" note={`Days are in ${timeZoneName()}.`} table={<DaysTable days={days} />}>
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
