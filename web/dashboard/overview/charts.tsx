import { type ComponentProps, type ReactNode, useId } from 'react'
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
import type { Overview } from '../../../core/insight/contract/overview.ts'
import { FUNNEL_STAGES, type Funnel } from '../../../core/insight/contract/overview.ts'
import { formatCount, formatShare } from '../../lib/numbers.ts'
import { formatDate, formatLongDate, KINDS, PERIODS, STAGE_WORDS } from './parts.tsx'

/* The charts are a chunk of their own, because the chart library is as large as the rest of the dashboard. */

type Row = { stage: string; now: number; before: number; share: number | null }

/** Draws two bars for each stage: this period and the one before. */
export function FunnelChart({ leads }: { leads: Funnel['leads'] }) {
  const rows: Row[] = FUNNEL_STAGES.map((stage) => ({
    stage: STAGE_WORDS[stage],
    now: leads.now[stage],
    before: leads.before[stage],
    share: leads.now.received === 0 ? null : leads.now[stage] / leads.now.received,
  }))
  return (
    <Bars
      of={PERIODS}
      height={300}
      bar={{ maxBarSize: 20 }}
      tooltip={StageTooltip}
      data={rows}
      layout="vertical"
      margin={{ top: 0, right: 8, bottom: 0, left: 0 }}
      barCategoryGap="20%"
      barGap={1}
      title="Leads by stage"
      desc="The arrow keys move from stage to stage. The same numbers are in the table."
    >
      <CartesianGrid horizontal={false} stroke="var(--color-line)" />
      <XAxis
        type="number"
        allowDecimals={false}
        tick={TEXT}
        tickLine={false}
        axisLine={false}
        tickFormatter={formatCount}
      />
      <YAxis type="category" dataKey="stage" tick={TEXT} tickLine={false} width={76} stroke="var(--color-edge)" />
    </Bars>
  )
}

function StageTooltip(props: TooltipContentProps) {
  return (
    <ChartTooltip<Row> {...props} title={({ stage }) => stage}>
      {({ now, before, share }) => (
        <>
          <p>
            {formatCount(now)}
            {share !== null && `, ${formatShare(share)} of those received`}
          </p>
          <p className="text-quiet">{formatCount(before)} in the period before</p>
        </>
      )}
    </ChartTooltip>
  )
}

type Day = Overview['days'][number]

export function LeadsPerDayChart({ days }: { days: Day[] }) {
  return (
    <Bars
      of={KINDS}
      height={280}
      bar={{ stackId: 'leads', maxBarSize: 48 }}
      tooltip={DayTooltip}
      data={days}
      margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
      barCategoryGap={days.length > 45 ? 1 : '18%'}
      title="Leads per day"
      desc="The arrow keys move from day to day. The same numbers are in the table."
    >
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
    </Bars>
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

type BarsProps = ComponentProps<typeof BarChart> & {
  of: readonly Series[]
  height: number
  bar: { stackId?: string; maxBarSize: number }
  tooltip: (props: TooltipContentProps) => ReactNode
  children: ReactNode
}

function Bars({ of, height, bar, tooltip, children, ...chart }: BarsProps) {
  const id = useId()
  const fillOf = (kind: string) => `${id}-${kind}`
  return (
    <>
      <Legend of={of} />
      <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 600, height }}>
        <BarChart {...chart}>
          <defs>
            {of.map((kind) => (
              <FillPattern key={kind.id} {...kind} id={fillOf(kind.id)} />
            ))}
          </defs>
          {children}
          <Tooltip content={tooltip} cursor={{ fill: 'var(--color-mist)' }} isAnimationActive={false} />
          {of.map(({ id: kind, name, color }) => (
            <Bar
              key={kind}
              dataKey={kind}
              name={name}
              fill={`url(#${fillOf(kind)})`}
              stroke={color}
              strokeWidth={0.5}
              isAnimationActive={false}
              {...bar}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </>
  )
}

/** A kind of bars. Its pattern tells it from the others without colors. */
type Series = { id: string; name: string; color: string; pattern: 'plain' | 'striped' | 'dotted' }

const TEXT = { fill: 'var(--color-quiet)', fontSize: 13 }

/** Defines a pattern that fills areas of a chart, for any SVG of the page. */
function FillPattern({ id, color, pattern }: Pick<Series, 'id' | 'color' | 'pattern'>) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill={pattern === 'plain' ? color : 'white'} />
      {pattern === 'striped' && <rect width="4" height="6" fill={color} />}
      {pattern === 'dotted' && <circle cx="3" cy="3" r="2" fill={color} />}
    </pattern>
  )
}

function Legend({ of }: { of: readonly Series[] }) {
  const id = useId()
  return (
    <ul className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {of.map((series) => (
        <li key={series.id} className="flex items-center gap-2">
          <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
            <defs>
              <FillPattern {...series} id={`${id}-${series.id}`} />
            </defs>
            <rect x="1" y="1" width="14" height="14" rx="3" fill={`url(#${id}-${series.id})`} stroke={series.color} />
          </svg>
          {series.name}
        </li>
      ))}
    </ul>
  )
}

function ChartTooltip<Row>({
  active,
  payload,
  title,
  children,
}: TooltipContentProps & { title: (row: Row) => string; children: (row: Row) => ReactNode }) {
  const row = payload?.[0]?.payload as Row | undefined
  if (!active || !row) return null
  return (
    <div className="rounded-lg border border-line bg-background px-3 py-2 text-sm shadow-lg">
      <p className="font-semibold text-ink">{title(row)}</p>
      {children(row)}
    </div>
  )
}
