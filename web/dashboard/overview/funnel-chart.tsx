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
import { FUNNEL_STAGES, type Funnel } from '../../../core/contract/funnel.ts'
import { formatCount, formatShare } from '../../lib/numbers.ts'
import { FillPattern } from './parts.tsx'
import { PERIODS, STAGE_WORDS } from './stages.ts'

type Row = { stage: string; now: number; before: number; share: number | null }

const HEIGHT = 300
const TEXT = { fill: 'var(--color-quiet)', fontSize: 13 }

/** Draws two bars for each stage: this period and the one before. It is in the chunk of the chart library. */
export function FunnelChart({ leads }: { leads: Funnel['leads'] }) {
  const id = useId()
  const fillOf = (period: string) => `${id}-${period}`
  const rows: Row[] = FUNNEL_STAGES.map((stage) => ({
    stage: STAGE_WORDS[stage],
    now: leads.now[stage],
    before: leads.before[stage],
    share: leads.now.received === 0 ? null : leads.now[stage] / leads.now.received,
  }))

  return (
    <>
      <ul className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {PERIODS.map((period) => (
          <li key={period.id} className="flex items-center gap-2">
            <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
              <defs>
                <FillPattern {...period} id={`${id}-legend-${period.id}`} />
              </defs>
              <rect
                x="1"
                y="1"
                width="14"
                height="14"
                rx="3"
                fill={`url(#${id}-legend-${period.id})`}
                stroke={period.color}
              />
            </svg>
            {period.name}
          </li>
        ))}
      </ul>
      <ResponsiveContainer width="100%" height={HEIGHT} initialDimension={{ width: 600, height: HEIGHT }}>
        <BarChart
          data={rows}
          layout="vertical"
          margin={{ top: 0, right: 8, bottom: 0, left: 0 }}
          barCategoryGap="20%"
          barGap={1}
          title="Leads by stage"
          desc="The arrow keys move from stage to stage. The same numbers are in the table."
        >
          <defs>
            {PERIODS.map((period) => (
              <FillPattern key={period.id} {...period} id={fillOf(period.id)} />
            ))}
          </defs>
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
          <Tooltip content={StageTooltip} cursor={{ fill: 'var(--color-mist)' }} isAnimationActive={false} />
          {PERIODS.map(({ id: period, name, color }) => (
            <Bar
              key={period}
              dataKey={period}
              name={name}
              fill={`url(#${fillOf(period)})`}
              stroke={color}
              strokeWidth={0.5}
              maxBarSize={20}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </>
  )
}

function StageTooltip({ active, payload }: TooltipContentProps) {
  const row = payload?.[0]?.payload as Row | undefined
  if (!active || !row) return null
  return (
    <div className="rounded-lg border border-line bg-white px-3 py-2 text-sm shadow-lg">
      <p className="font-semibold text-ink">{row.stage}</p>
      <p>
        {formatCount(row.now)}
        {row.share !== null && `, ${formatShare(row.share)} of those received`}
      </p>
      <p className="text-quiet">{formatCount(row.before)} in the period before</p>
    </div>
  )
}
