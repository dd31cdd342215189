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
import { formatDate, formatLongDate, KINDS } from './days.ts'
import { FillPattern } from './parts.tsx'

type Day = Overview['days'][number]

const HEIGHT = 280
const TEXT = { fill: 'var(--color-quiet)', fontSize: 13 }

/**
 * Draws a bar for each day. It is a chunk of its own because the chart library is as large as the rest of the
 * dashboard.
 */
export function LeadsPerDayChart({ days }: { days: Day[] }) {
  const id = useId()
  const fillOf = (kind: string) => `${id}-${kind}`

  return (
    <>
      <Legend />
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
          {KINDS.map(({ id: kind, name, color }) => (
            <Bar
              key={kind}
              dataKey={kind}
              name={name}
              stackId="leads"
              fill={`url(#${fillOf(kind)})`}
              stroke={color}
              strokeWidth={0.5}
              maxBarSize={48}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </>
  )
}

function Legend() {
  const id = useId()
  return (
    <ul className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {KINDS.map((kind) => (
        <li key={kind.id} className="flex items-center gap-2">
          <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
            <defs>
              <FillPattern {...kind} id={`${id}-${kind.id}`} />
            </defs>
            <rect x="1" y="1" width="14" height="14" rx="3" fill={`url(#${id}-${kind.id})`} stroke={kind.color} />
          </svg>
          {kind.name}
        </li>
      ))}
    </ul>
  )
}

function DayTooltip({ active, payload }: TooltipContentProps) {
  const day = payload?.[0]?.payload as Day | undefined
  if (!active || !day) return null
  return (
    <div className="rounded-lg border border-line bg-white px-3 py-2 text-sm shadow-lg">
      <p className="font-semibold text-ink">{formatLongDate(day.day)}</p>
      <p>{formatCount(day.received)} received</p>
      {KINDS.map(({ id, name }) => (
        <p key={id} className="text-quiet">
          {formatCount(day[id])} {name.toLowerCase()}
        </p>
      ))}
    </div>
  )
}
