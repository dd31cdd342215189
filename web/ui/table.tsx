import type { UseQueryResult } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useEffect } from 'react'
import { useWideScreen } from '../lib/hooks.ts'
import { Skeleton } from './feedback.tsx'
import { LoadError } from './load-error.tsx'
import { Pager, pagesOf } from './pager.tsx'

const SKELETON_ROWS = 5

type SortOrder = 'ascending' | 'descending' | 'none'

export type Column = {
  label: string
  sort?: SortOrder
  head?: ReactNode
  /** The classes of its width, in a table whose columns are fixed. They may hide it where there is no room. */
  width?: string
}

type TableProps = {
  columns: readonly (string | Column)[]
  rows: ReactNode[] | undefined
  empty: ReactNode
  isStale?: boolean
  /** Gives each column its own width, whatever is in it, so that columns do not move between pages and filters. */
  isFixed?: boolean
}

const HELD = 'lg:sticky lg:top-0 lg:z-10 lg:bg-background lg:shadow-[0_1px_0_var(--color-line)]'

/** A table whose rows become cards where the screen is narrow. */
export function Table({ columns, rows, empty, isStale = false, isFixed = false }: TableProps) {
  // Where rows are cards, the column heads are hidden, also from the keyboard.
  const isWide = useWideScreen()
  const heads = columns.map((column) => (typeof column === 'string' ? { label: column } : column))
  return (
    <>
      <table
        aria-busy={!rows || isStale}
        className={`block w-full text-left text-[0.9375rem] staff:text-sm lg:table ${isFixed ? 'lg:table-fixed' : ''} ${isStale ? 'opacity-60' : ''}`}
      >
        {isFixed && (
          <colgroup>
            {heads.map(({ label, width }: Column) => (
              <col key={label} className={width} />
            ))}
          </colgroup>
        )}
        <thead className="sr-only lg:not-sr-only lg:table-header-group">
          <tr>
            {heads.map(({ label, sort, head, width = '' }: Column) => (
              <th
                key={label}
                scope="col"
                aria-sort={sort}
                className={`px-3 py-3 text-sm font-semibold whitespace-nowrap text-quiet first:pl-6 last:pr-6 staff:px-2 staff:py-1 staff:text-xs staff:first:pl-4 staff:last:pr-4 ${isFixed ? `${HELD} ${width}` : ''}`}
              >
                {(isWide && head) || label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block lg:table-row-group">{rows ?? <SkeletonRows columns={heads} isFixed={isFixed} />}</tbody>
      </table>
      {rows?.length === 0 && <div className="border-t border-line px-6 py-14 text-center text-quiet">{empty}</div>}
    </>
  )
}

type LoadedProps<Data> = Omit<TableProps, 'rows' | 'isStale'> & {
  of: UseQueryResult<Data>
  fallback: string
  rows: (data: Data) => ReactNode[]
  /** Of a list that has pages. `onPage` is also called, to replace the entry of the history, when the page has become empty. */
  pages?: {
    noun: string
    perPage: number
    page: number
    onPage: (page: number, options?: { history: 'replace' }) => void
  }
}

export function LoadedTable<Data extends object>({ of, fallback, rows, pages, ...table }: LoadedProps<Data>) {
  const { data, error, isFetching, isPlaceholderData, refetch } = of
  const total = pages && data && 'total' in data ? Number(data.total) : undefined
  // The last page may have become empty by a deletion.
  useEffect(() => {
    if (!pages || total === undefined || isPlaceholderData) return
    const last = pagesOf(total, pages.perPage)
    if (pages.page > last) pages.onPage(last, { history: 'replace' })
  })
  return (
    <>
      <LoadError {...{ error, fallback, isFetching }} onRetry={refetch} />
      {(data || !error) && (
        <div className="overflow-hidden rounded-lg border border-line bg-background">
          <Table {...table} rows={data && rows(data)} isStale={isPlaceholderData} />
          {pages && total !== undefined && <Pager {...pages} total={total} />}
        </div>
      )}
    </>
  )
}

type SortableProps<Key extends string> = {
  label: string
  key: Key
  /** The order of the list: a key, with `-` in front the other way round. */
  sort: string
  /** Whether it begins with the highest, as numbers and dates do. */
  descendsFirst: boolean
  onSort: (sort: Key | `-${Key}`) => void
}

export function sortable<Key extends string>({ label, key, sort, descendsFirst, onSort }: SortableProps<Key>) {
  const order: SortOrder = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none'
  const descends = order === 'ascending' || (order === 'none' && descendsFirst)
  const onPress = () => onSort(descends ? `-${key}` : key)
  return { label, sort: order, head: <SortButton label={label} order={order} onSort={onPress} /> }
}

function SortButton({ label, order, onSort }: { label: string; order: SortOrder; onSort: () => void }) {
  return (
    <button
      type="button"
      onClick={onSort}
      className="group -m-1.5 inline-flex min-h-7 items-center gap-1 rounded p-1.5 font-semibold hover:text-ink"
    >
      {label}
      <span
        aria-hidden="true"
        className={
          order === 'none' ? 'opacity-0 group-hover:opacity-50 group-focus-visible:opacity-50' : 'text-secondary'
        }
      >
        {order === 'ascending' ? '↑' : '↓'}
      </span>
    </button>
  )
}

const CONTROL = 'a, button, input, select, label, [role=menu]'

/** Tells whether a click is meant for the row: not for a control in it, nor the end of a text selection, which is meant to copy. */
export const isRowClick = ({ target }: MouseEvent<HTMLElement>): boolean =>
  (target as HTMLElement).closest(CONTROL) === null && !getSelection()?.toString()

export function Row({ children }: { children: ReactNode }) {
  return (
    <tr className="grid grid-cols-2 gap-x-4 sm:grid-cols-4 gap-y-4 border-t border-line p-4 align-top first:border-0 staff:gap-y-2 staff:py-3 lg:table-row lg:p-0 staff:lg:p-0">
      {children}
    </tr>
  )
}

type CellProps = {
  label: string
  className?: string
  isBare?: boolean
  children: ReactNode
}

/** The classes place a cell in the card of a narrow screen. */
export function Cell({ label, className = '', isBare = false, children }: CellProps) {
  return (
    <td
      className={`${className} min-w-0 lg:border-t lg:border-line lg:px-3 lg:py-4 lg:first:pl-6 lg:last:pr-6 staff:lg:px-2 staff:lg:py-2.5 staff:lg:first:pl-4 staff:lg:last:pr-4`}
    >
      {!isBare && (
        <span aria-hidden="true" className="mb-0.5 block text-[0.8125rem] text-quiet lg:hidden">
          {label}
        </span>
      )}
      {children}
    </td>
  )
}

function SkeletonRows({ columns, isFixed }: { columns: Column[]; isFixed: boolean }) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else
    <tr key={row} className="block border-t border-line lg:table-row">
      {isFixed ? (
        columns.map(({ label, width = '' }) => (
          <td
            key={label}
            className={`h-11 px-4 py-3.5 max-lg:block max-lg:not-nth-2:hidden lg:px-2 lg:py-0 lg:first:pl-4 ${width}`}
          >
            <Skeleton className="h-3.5 w-3/4" />
          </td>
        ))
      ) : (
        <td colSpan={columns.length} className="block px-4 py-4 lg:table-cell lg:px-6">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="mt-2 h-5 w-4/5" />
        </td>
      )}
    </tr>
  ))
}
