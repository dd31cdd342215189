import type { ReactNode } from 'react'

type Props = {
  /** What a screen reader calls it. */
  caption: string
  columns: { name: string; isNumber?: boolean; isLong?: boolean }[]
  /** Each with a key, and a cell for each column. The first one names the row. */
  rows: { key: string; cells: ReactNode[] }[]
}

type Column = Props['columns'][number]

const cellClass = ({ isNumber, isLong }: Partial<Column> = {}) =>
  `px-3 py-2 first:min-w-32 first:pl-0 last:pr-0 align-top ${isNumber ? 'text-right tabular-nums' : ''} ${isLong ? 'min-w-56' : ''}`

/** Numbers in rows. What is too long or too wide for the screen scrolls by itself. */
export function DataTable({ caption, columns, rows }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
    <section aria-label={`${caption}: table`} tabIndex={0} className="max-h-96 overflow-auto">
      <table className="w-full text-left text-[0.9375rem]">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-white text-sm text-quiet">
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
