import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router-dom'
import type { FunnelStage } from '../../../core/insight/contract/overview.ts'
import type { LeadFilter } from '../../../core/leads/contract/leads.ts'
import { Button } from '../../ui/button.tsx'

const inUtc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const short = inUtc({ month: 'short', day: 'numeric' })
const long = inUtc({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })

/** Formats an ISO date as `Nov 21`. */
export function formatDate(day: string): string {
  return short.format(new Date(day))
}

/** Formats an ISO date as `Sat, Nov 21, 2026`. */
export function formatLongDate(day: string): string {
  return long.format(new Date(day))
}

/** The results of a lead, from the bottom of a bar to its top. Each has a pattern as well as a color. */
export const KINDS = [
  { id: 'matched', name: 'Matched', color: 'var(--color-secondary)', pattern: 'plain' },
  { id: 'unmatched', name: 'Unmatched', color: 'var(--color-wait-bright)', pattern: 'striped' },
  { id: 'held', name: 'Held', color: 'var(--color-edge)', pattern: 'dotted' },
] as const

export const STAGE_WORDS: Record<FunnelStage, string> = {
  received: 'Received',
  delivered: 'Delivered',
  opened: 'Opened',
  reached: 'Reached',
  booked: 'Booked',
  attended: 'Attended',
}

/** The two periods of a chart. Each has a pattern as well as a color. */
export const PERIODS = [
  { id: 'now', name: 'This period', color: 'var(--color-secondary)', pattern: 'plain' },
  { id: 'before', name: 'The period before', color: 'var(--color-edge)', pattern: 'striped' },
] as const

export const NONE = '–'

type Props = {
  title: string
  note?: ReactNode
  /** The chart's numbers as a table. Left out if the contents are a table. */
  table?: ReactNode
  children: ReactNode
}

export function ChartCard({ title, note, table, children }: Props) {
  const titleId = useId()
  const [asTable, setAsTable] = useState(false)

  return (
    <section aria-labelledby={titleId} className="min-w-0 rounded-2xl border border-line bg-background p-4 sm:p-6">
      <div className="mb-4">
        <div className="flex items-start justify-between gap-4">
          <h2 id={titleId} className="min-w-0 font-display text-2xl leading-tight font-medium text-ink">
            {title}
          </h2>
          {table && (
            <Button variant="outline" size="small" onClick={() => setAsTable(!asTable)}>
              {asTable ? 'Show as chart' : 'Show as table'}
            </Button>
          )}
        </div>
        {note && <p className="mt-1 max-w-prose text-[0.9375rem] text-quiet">{note}</p>}
      </div>
      {asTable ? table : children}
    </section>
  )
}

type ColumnProps = {
  /** The table's name for screen readers. */
  caption: string
  columns: { name: string; isNumber?: boolean; isLong?: boolean }[]
  /** The rows, with a cell for each column. The first cell names the row. */
  rows: { key: string; cells: ReactNode[] }[]
}

type Column = ColumnProps['columns'][number]

const cellClass = ({ isNumber, isLong }: Partial<Column> = {}) =>
  `px-3 py-2 first:min-w-32 first:pl-0 last:pr-0 align-top ${isNumber ? 'text-right tabular-nums' : ''} ${isLong ? 'min-w-56' : ''}`

/** Shows rows of numbers. A long or wide table scrolls by itself. */
export function DataTable({ caption, columns, rows }: ColumnProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
    <section aria-label={`${caption}: table`} tabIndex={0} className="max-h-96 overflow-auto">
      <table className="w-full text-left text-[0.9375rem]">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-background text-sm text-quiet">
          <tr className="border-b border-line">
            {columns.map((column) => (
              <th key={column.name} scope="col" className={`${cellClass(column)} font-semibold`}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, cells: [first, ...others] }) => (
            <tr key={key}>
              <th scope="row" className={`${cellClass()} font-medium text-ink`}>
                {first}
              </th>
              {others.map((cell, index) => (
                <td key={columns[index + 1]?.name} className={cellClass(columns[index + 1])}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Draws a number as a share of the largest one. The number itself stands beside it. */
export function ShareBar({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 w-full" aria-hidden="true">
      <rect width="100" height="6" className="fill-line" />
      <rect width={Math.max(2, share * 100)} height="6" className="fill-secondary" />
    </svg>
  )
}

/** The class of a link that is large enough to tap. */
export const TOUCHABLE = 'inline-block py-1'

type LeadsLinkProps = {
  filter: LeadFilter
  className?: string
  /** The name for screen readers, where the text alone says too little. */
  label?: string
  children: ReactNode
}

/** Links to the filtered leads in the leads tab. */
export function LeadsLink({ filter, className = '', label, children }: LeadsLinkProps) {
  const query = new URLSearchParams({ tab: 'leads' })
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
  return (
    <Link
      to={`?${query}`}
      aria-label={label}
      className={`underline decoration-edge underline-offset-3 hover:text-secondary ${className}`}
    >
      {children}
    </Link>
  )
}
