import type { ReactNode } from 'react'
import type { LeadSort, ListedLead } from '../../../core/contract/leads.ts'
import { Table } from '../../ui/table.tsx'
import type { Retrying } from './lead-deliveries.tsx'
import { GoneRow, LeadRow, RowCheckbox, type RowProps } from './lead-row.tsx'

type Props = Omit<RowProps, 'lead' | 'retrying'> & {
  /** Undefined until they are loaded. */
  leads: ListedLead[] | undefined
  retryingOf: (id: number) => Retrying
  /** Returns the height in pixels of the row of a lead that was just deleted; undefined for all others. */
  goneHeightOf: (id: number) => number | undefined
  isStale: boolean
  sort: LeadSort
  onSort: (sort: LeadSort) => void
  empty: ReactNode
}

export function LeadsTable({ leads, retryingOf, goneHeightOf, isStale, sort, onSort, empty, ...row }: Props) {
  const { canAct, isCompact, selection } = row
  const sorted = (column: 'Contact' | 'Zip Code' | 'Date') => ({
    label: column,
    sort: orderOf(column, sort),
    head: <SortHead column={column} sort={sort} onSort={onSort} />,
  })
  const choice = {
    label: 'Choose',
    head: (
      <RowCheckbox
        label="Select every lead on this page"
        isChecked={selection.isAll || selection.isPageChosen}
        disabled={!leads?.length}
        onToggle={selection.togglePage}
      />
    ),
  }

  return (
    <Table
      columns={[
        ...(canAct ? [choice] : []),
        sorted('Contact'),
        sorted('Zip Code'),
        'Provider',
        sorted('Date'),
        'CRM Sync',
        'Outcome',
        ...(canAct && !isCompact ? ['Actions'] : []),
      ]}
      rows={leads?.map((lead) => {
        const height = goneHeightOf(lead.id)
        return height === undefined ? (
          <LeadRow key={lead.id} lead={lead} retrying={retryingOf(lead.id)} {...row} />
        ) : (
          <GoneRow key={lead.id} id={lead.id} height={height} />
        )
      })}
      isStale={isStale}
      empty={empty}
    />
  )
}

/** The field that each sortable column sorts by. */
const SORTED_BY = { Contact: 'name', 'Zip Code': 'zip_code', Date: 'created_at' } as const
type SortColumn = keyof typeof SORTED_BY

function orderOf(column: SortColumn, sort: LeadSort): 'ascending' | 'descending' | 'none' {
  if (sort === SORTED_BY[column]) return 'ascending'
  return sort === `-${SORTED_BY[column]}` ? 'descending' : 'none'
}

type SortHeadProps = { column: SortColumn; sort: LeadSort; onSort: (sort: LeadSort) => void }

/** Shows the head of a sortable column. */
function SortHead({ column, sort, onSort }: SortHeadProps) {
  const by = SORTED_BY[column]
  const order = orderOf(column, sort)
  // Dates start with the newest, texts with A.
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
