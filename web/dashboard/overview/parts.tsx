import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { LeadFilter } from '../../../core/leads/contract/leads.ts'
import { formatShare } from '../../lib/numbers.ts'
import type { Column } from '../../ui/table.tsx'

export const NONE = '–'

/** The fewest leads whose share says something. */
export const MIN_WHOLE = 10

/** Returns a share as `68.1%`, or of few leads the numbers themselves: `2 of 3`. */
export function rateOf(part: number, whole: number): string {
  if (whole === 0) return NONE
  return whole < MIN_WHOLE ? `${part} of ${whole}` : formatShare(part / whole)
}

export type Figure = { name: string; value: string; notes: ReactNode[] }

export function Tiles({ of, className }: { of: Figure[]; className: string }) {
  return (
    <dl className={`grid gap-px overflow-hidden rounded-lg border border-line bg-line ${className}`}>
      {of.map(({ name, value, notes }) => (
        <div key={name} className="bg-background px-4 py-3 max-sm:last:odd:col-span-2">
          <dt className="text-sm text-quiet">{name}</dt>
          <dd className="mt-0.5 font-display text-2xl font-medium wrap-anywhere text-ink tabular-nums sm:text-3xl">
            {value}
          </dd>
          {notes.filter(Boolean).map((note, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the notes of a figure have a fixed order
            <dd key={index} className="mt-0.5 text-sm text-quiet">
              {note}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}

type TableProps = {
  caption: string
  columns: (string | Column)[]
  /** The rows, with a cell for each column. The first cell names the row. */
  rows: Row[]
  total?: ReactNode[]
}
type Row = { key: string; cells: ReactNode[] }

const CELL = 'px-3 py-1.5 first:min-w-32 first:pl-0 last:pr-0 align-top'
const NUMBER = `${CELL} text-right whitespace-nowrap tabular-nums`

export function DataTable({ caption, columns, rows, total }: TableProps) {
  const lookOf = (index: number) => (index === 0 ? CELL : NUMBER)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
    <section aria-label={`${caption}: table`} tabIndex={0} className="max-h-96 overflow-auto">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-background text-quiet shadow-[0_1px_0_var(--color-line)]">
          <tr>
            {columns
              .map((column) => (typeof column === 'string' ? { label: column } : column))
              .map(({ label, sort, head = label }: Column, index) => (
                <th key={label} scope="col" aria-sort={sort} className={`${lookOf(index)} font-semibold`}>
                  {head}
                </th>
              ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, cells }) => (
            <Cells key={key} cells={cells} lookOf={lookOf} />
          ))}
        </tbody>
        {total && (
          <tfoot className="sticky bottom-0 bg-background font-semibold text-ink shadow-[0_-1px_0_var(--color-line)]">
            <Cells cells={total} lookOf={lookOf} />
          </tfoot>
        )}
      </table>
    </section>
  )
}

function Cells({ cells: [first, ...others], lookOf }: { cells: ReactNode[]; lookOf: (index: number) => string }) {
  return (
    <tr>
      <th scope="row" className={`${CELL} font-medium text-ink`}>
        {first}
      </th>
      {others.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
        <td key={index} className={lookOf(index + 1)}>
          {cell}
        </td>
      ))}
    </tr>
  )
}

export function Bars({ of, max }: { of: [now: number, before?: number]; max: number }) {
  return (
    <span aria-hidden="true" className="grid w-full gap-0.5">
      {of.map((count, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: two bars with a fixed order
          key={index}
          style={{ width: `${(100 * (count ?? 0)) / Math.max(max, 1)}%` }}
          className={`min-w-px rounded-r-xs forced-color-adjust-none ${index === 0 ? 'h-2.5 bg-secondary' : 'h-1 bg-edge'}`}
        />
      ))}
    </span>
  )
}

type LeadsLinkProps = {
  filter: LeadFilter
  label?: string
  children: ReactNode
}

export function LeadsLink({ filter, label, children }: LeadsLinkProps) {
  const query = new URLSearchParams({ tab: 'leads' })
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
  return (
    <Link
      to={`?${query}`}
      aria-label={label}
      className="inline-block min-h-6 min-w-6 underline decoration-edge underline-offset-3 hover:text-secondary"
    >
      {children}
    </Link>
  )
}
