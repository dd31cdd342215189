import { type ReactNode, useId } from 'react'
import type { TooltipContentProps } from 'recharts'

/** A kind of bars. Its pattern tells it from the others without colors. */
export type Series = { id: string; name: string; color: string; pattern: 'plain' | 'striped' | 'dotted' }

/** Props of the texts on an axis. */
export const TEXT = { fill: 'var(--color-quiet)', fontSize: 13 }

/** Returns the props of the bars of a kind, whose pattern is the `fill` of this page. */
export function barOf({ id, name, color }: Series, fill: string) {
  const look = { fill: `url(#${fill})`, stroke: color, strokeWidth: 0.5, isAnimationActive: false }
  return { dataKey: id, name, ...look }
}

/** Defines a pattern that fills areas of a chart, for any SVG of the page. */
export function FillPattern({ id, color, pattern }: Pick<Series, 'id' | 'color' | 'pattern'>) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill={pattern === 'plain' ? color : 'white'} />
      {pattern === 'striped' && <rect width="4" height="6" fill={color} />}
      {pattern === 'dotted' && <circle cx="3" cy="3" r="2" fill={color} />}
    </pattern>
  )
}

export function Legend({ of }: { of: readonly Series[] }) {
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

/** Shows a tooltip with the row that it is about. */
export function ChartTooltip<Row>({
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
