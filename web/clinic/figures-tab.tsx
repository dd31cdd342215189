import { useQuery } from '@tanstack/react-query'
import { type ClinicFigures, getClinicFigures } from '../../core/contract/clinic.ts'
import { call } from '../lib/call.ts'
import { countOf, formatDuration, formatShare } from '../lib/numbers.ts'
import { LoadError } from '../ui/load-error.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Card } from './clinic-shell.tsx'

/** Shows what the clinic made of its requests, beside the median clinic of the network. */
export function FiguresTab() {
  const figures = useQuery({ queryKey: ['clinic-figures'], queryFn: () => call(getClinicFigures) })
  if (!figures.data) {
    return (
      <>
        <LoadError
          error={figures.error}
          fallback="Your figures could not be loaded."
          isFetching={figures.isFetching}
          onRetry={() => void figures.refetch()}
        />
        {!figures.error && <Skeleton className="h-60 w-full" />}
      </>
    )
  }
  const { days, requests, answer_time, answered_in_time, reached, booked } = figures.data
  return (
    <div className="grid gap-5">
      <p>
        {requests === 0
          ? `No request came in the last ${days} days.`
          : `${countOf(requests, 'request')} in the last ${days} days.`}{' '}
        The median clinic of the network stands beside your figures.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Figure title="Time to your first answer" figure={answer_time} inWords={formatDuration} isLessBetter />
        <Figure title="Answered in time" figure={answered_in_time} inWords={formatShare} />
        <Figure title="Reached" figure={reached} inWords={formatShare} />
        <Figure title="Booked" figure={booked} inWords={formatShare} />
      </div>
    </div>
  )
}

type FigureProps = {
  title: string
  figure: ClinicFigures['booked']
  inWords: (value: number) => string
  isLessBetter?: boolean
}

function Figure({ title, figure: { own, network }, inWords, isLessBetter = false }: FigureProps) {
  const longest = Math.max(own ?? 0, network ?? 0)
  const isBetter = own !== null && network !== null && (isLessBetter ? own <= network : own >= network)
  return (
    <Card title={title}>
      <dl className="grid gap-3">
        <Bar label="You" value={own} {...{ longest, inWords }} className={isBetter ? 'bg-good' : 'bg-secondary'} />
        <Bar label="Median clinic" value={network} {...{ longest, inWords }} className="bg-edge" />
      </dl>
    </Card>
  )
}

type BarProps = {
  label: string
  value: number | null
  longest: number
  inWords: (value: number) => string
  className: string
}

function Bar({ label, value, longest, inWords, className }: BarProps) {
  const width = value === null || longest === 0 ? 0 : (value / longest) * 100
  return (
    <div className="grid gap-1">
      <div className="flex justify-between gap-4">
        <dt className="text-quiet">{label}</dt>
        <dd className="font-semibold text-ink">{value === null ? 'No figure yet' : inWords(value)}</dd>
      </div>
      <div aria-hidden="true" className="h-2 rounded-full bg-mist">
        <div className={`h-2 rounded-full ${className}`} style={{ width: `${width}%` }} />
      </div>
    </div>
  )
}
