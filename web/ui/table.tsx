import { type ComponentProps, type ReactNode, useSyncExternalStore } from 'react'
import { Skeleton } from './skeleton.tsx'

const SKELETON_ROWS = 5

type Column = { label: string; sort?: 'ascending' | 'descending' | 'none'; head?: ReactNode }

type TableProps = {
  /** By their label, or with something else as their head and with their order. */
  columns: readonly (string | Column)[]
  /** Undefined until they are loaded. */
  rows: ReactNode[] | undefined
  /** The text of an empty table. */
  empty: ReactNode
  /** The rows are old ones, and others are on their way. */
  isStale?: boolean
}

/** A table whose rows become cards where the screen is narrow. */
export function Table({ columns, rows, empty, isStale = false }: TableProps) {
  // Where rows are cards, the column heads are hidden, also from the keyboard.
  const isWide = useWideScreen()
  const heads = columns.map((column) => (typeof column === 'string' ? { label: column } : column))
  return (
    <table
      aria-busy={!rows || isStale}
      className={`block w-full text-left text-[0.9375rem] lg:table ${isStale ? 'opacity-60' : ''}`}
    >
      <thead className="sr-only lg:not-sr-only lg:table-header-group">
        <tr>
          {heads.map(({ label, sort, head }: Column) => (
            <th
              key={label}
              scope="col"
              aria-sort={sort}
              className="px-3 py-3 text-sm font-semibold whitespace-nowrap text-quiet first:pl-6 last:pr-6"
            >
              {(isWide && head) || label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block lg:table-row-group">
        {rows ?? <SkeletonRows columns={columns.length} />}
        {rows?.length === 0 && (
          <tr className="block border-t border-line lg:table-row">
            <td colSpan={columns.length} className="block px-6 py-14 text-center text-quiet lg:table-cell">
              {empty}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

export function Row({ className = '', ...row }: ComponentProps<'tr'>) {
  return (
    <tr
      {...row}
      className={`${className} grid grid-cols-2 gap-x-4 sm:grid-cols-4 gap-y-4 border-t border-line p-4 align-top first:border-0 lg:table-row lg:p-0`}
    />
  )
}

type CellProps = { label: string; className?: string; children: ReactNode }

/** The classes place a cell in the card of a narrow screen. */
export function Cell({ label, className = '', children }: CellProps) {
  return (
    <td className={`${className} min-w-0 lg:border-t lg:border-line lg:px-3 lg:py-4 lg:first:pl-6 lg:last:pr-6`}>
      <span aria-hidden="true" className="mb-0.5 block text-[0.8125rem] text-quiet lg:hidden">
        {label}
      </span>
      {children}
    </td>
  )
}

/** Shows the details of an opened row. */
export function DetailsRow({ id, columns, children }: { id: string; columns: number; children: ReactNode }) {
  return (
    <tr id={id} className="block bg-mist lg:table-row">
      <td colSpan={columns} className="block p-4 lg:table-cell lg:px-6 lg:py-5">
        {children}
      </td>
    </tr>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
    <tr key={row} className="block border-t border-line lg:table-row">
      <td colSpan={columns} className="block px-4 py-4 lg:table-cell lg:px-6">
        <Skeleton className="h-5 w-2/5" />
        <Skeleton className="mt-2 h-5 w-4/5" />
      </td>
    </tr>
  ))
}

/** Tailwind's `lg`: the width from which tables are shown as tables. */
const WIDE = '(min-width: 64rem)'

/** Returns whether the window is wide enough for tables. */
function useWideScreen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDE).matches,
    () => true,
  )
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
