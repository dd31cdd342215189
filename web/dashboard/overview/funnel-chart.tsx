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
import { barOf, ChartTooltip, FillPattern, Legend, TEXT } from './chart.tsx'
import { PERIODS, STAGE_WORDS } from './stages.ts'

type Row = { stage: string; now: number; before: number; share: number | null }

const HEIGHT = 300

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
      <Legend of={PERIODS} />
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
          {PERIODS.map((period) => (
            <Bar key={period.id} {...barOf(period, fillOf(period.id))} maxBarSize={20} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </>
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
