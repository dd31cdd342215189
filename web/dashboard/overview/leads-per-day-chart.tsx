import { useId } from 'react'
import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts'
import type { Overview } from '../../../core/contract/overview.ts'
import { formatCount } from '../../lib/numbers.ts'
import { barOf, ChartTooltip, FillPattern, Legend, TEXT } from './chart.tsx'
import { formatDate, formatLongDate, KINDS } from './days.ts'

type Day = Overview['days'][number]

const HEIGHT = 280

/**
 * Draws a bar for each day. It is a chunk of its own because the chart library is as large as the rest of the
 * dashboard.
 */
export function LeadsPerDayChart({ days }: { days: Day[] }) {
  const id = useId()
  const fillOf = (kind: string) => `${id}-${kind}`

  return (
    <>
      <Legend of={KINDS} />
      <ResponsiveContainer width="100%" height={HEIGHT} initialDimension={{ width: 600, height: HEIGHT }}>
        <BarChart
          data={days}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
          barCategoryGap={days.length > 45 ? 1 : '18%'}
          title="Leads per day"
          desc="The arrow keys move from day to day. The same numbers are in the table."
        >
          <defs>
            {KINDS.map((kind) => (
              <FillPattern key={kind.id} {...kind} id={fillOf(kind.id)} />
            ))}
          </defs>
          <CartesianGrid vertical={false} stroke="var(--color-line)" />
          <XAxis
            dataKey="day"
            tickFormatter={formatDate}
            tick={TEXT}
            tickLine={false}
            minTickGap={28}
            stroke="var(--color-edge)"
          />
          <YAxis
            allowDecimals={false}
            tick={TEXT}
            tickLine={false}
            axisLine={false}
            width={44}
            tickFormatter={formatCount}
          />
          <Tooltip content={DayTooltip} cursor={{ fill: 'var(--color-mist)' }} isAnimationActive={false} />
          {KINDS.map((kind) => (
            <Bar key={kind.id} {...barOf(kind, fillOf(kind.id))} stackId="leads" maxBarSize={48} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </>
  )
}

function DayTooltip(props: TooltipContentProps) {
  return (
    <ChartTooltip<Day> {...props} title={({ day }) => formatLongDate(day)}>
      {(day) => (
        <>
          <p>{formatCount(day.received)} received</p>
          {KINDS.map(({ id, name }) => (
            <p key={id} className="text-quiet">
              {formatCount(day[id])} {name.toLowerCase()}
            </p>
          ))}
        </>
      )}
    </ChartTooltip>
  )
}
