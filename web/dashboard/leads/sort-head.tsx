import type { LeadSort } from '../../../core/contract/leads.ts'

/** What the columns are sorted by. */
export const SORTED_BY = { Contact: 'name', 'Zip Code': 'zip_code', Date: 'created_at' } as const
export type SortColumn = keyof typeof SORTED_BY

export function orderOf(column: SortColumn, sort: LeadSort): 'ascending' | 'descending' | 'none' {
  if (sort === SORTED_BY[column]) return 'ascending'
  return sort === `-${SORTED_BY[column]}` ? 'descending' : 'none'
}

type Props = { column: SortColumn; sort: LeadSort; onSort: (sort: LeadSort) => void }

/** The head of a column that can be sorted by. */
export function SortHead({ column, sort, onSort }: Props) {
  const by = SORTED_BY[column]
  const order = orderOf(column, sort)
  // A date is first wanted from the newest, the rest from the start of the alphabet.
  const first = column === 'Date' ? 'descending' : 'ascending'
  const next = order === 'none' ? first : order === 'ascending' ? 'descending' : 'ascending'

  return (
    <button
      type="button"
      onClick={() => onSort(next === 'ascending' ? by : `-${by}`)}
      className="-mx-1.5 inline-flex min-h-7 items-center gap-1 rounded px-1.5 font-semibold hover:text-ink"
    >
      {column}
      <svg
        viewBox="0 0 12 12"
        aria-hidden="true"
        className={`size-3 ${order === 'none' ? 'opacity-35' : 'text-secondary'}`}
      >
        <path
          d={order === 'ascending' ? 'M6 10V2M2.5 5.5 6 2l3.5 3.5' : 'M6 2v8M2.5 6.5 6 10l3.5-3.5'}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </button>
  )
}
