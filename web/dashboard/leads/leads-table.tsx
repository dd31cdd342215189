import { memo, type ReactNode } from 'react'
import type { LeadSort, ListedLead } from '../../../core/leads/contract/leads.ts'
import { useWideScreen } from '../../lib/hooks.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { useAccess } from '../access.tsx'
import { usePausedWords } from '../job-labels.tsx'
import type { Retrying } from './lead-deliveries.tsx'
import { type ColumnName, LeadRow, RowCheckbox, type RowProps } from './lead-row.tsx'

/** A width of the window, as `useWideScreen` takes it. */
type From = 'lg' | 'xl' | 'roomy' | '2xl' | 'never'

type LeadColumn = {
  /** The field that the list is sorted by; the names are those of `LeadSort`. */
  name: ColumnName
  label: string
  /** The class of its width, and of that beside an open lead if it is another one. */
  width: string
  compactWidth?: string
  /** Whether the first click sorts from the largest down, as the newest date. */
  isNewestFirst?: true
  /** The narrowest window that has room for it: without an open lead, and beside one. Absent: every window. */
  from?: { alone: From; beside: From }
}

/** The columns of the list of leads, between the check boxes and the actions. Those without `from` are always shown. */
export const LEAD_COLUMNS: readonly LeadColumn[] = [
  { name: 'contact', label: 'Contact', width: 'w-auto' },
  { name: 'zip_code', label: 'Zip Code', width: 'w-26', compactWidth: 'w-22' },
  { name: 'provider', label: 'Provider', width: 'w-42', compactWidth: 'w-36' },
  { name: 'created_at', label: 'Date', width: 'w-24', isNewestFirst: true },
  { name: 'crm', label: 'CRM Sync', width: 'w-32 xl:w-48', compactWidth: 'w-30' },
  { name: 'clinic', label: 'Email', width: 'w-28', from: { alone: 'xl', beside: '2xl' } },
  { name: 'outcome', label: 'Outcome', width: 'w-30', from: { alone: 'lg', beside: 'roomy' } },
  { name: 'source', label: 'Source', width: 'w-25', from: { alone: 'roomy', beside: 'never' } },
]

/** Returns the columns that the window has room for. */
export function useColumns({ isCompact }: { isCompact: boolean }) {
  const fits: Record<From, boolean> = {
    lg: useWideScreen('lg'),
    xl: useWideScreen('xl'),
    roomy: useWideScreen('roomy'),
    '2xl': useWideScreen('2xl'),
    never: false,
  }
  // A phone shows cards, which have a place for every column.
  return LEAD_COLUMNS.filter(({ from }) => !from || !fits.lg || fits[isCompact ? from.beside : from.alone])
}

type Props = Omit<RowProps, 'lead' | 'retrying' | 'pausedWords' | 'columns'> & {
  /** Undefined until they are loaded. */
  leads: ListedLead[] | undefined
  retryingOf: (id: number) => Retrying
  /** Whether a lead is open beside the list, which leaves less room. */
  isCompact: boolean
  isStale: boolean
  sort: LeadSort
  onSort: (sort: LeadSort) => void
  empty: ReactNode
}

export function LeadsTable({ leads, retryingOf, isCompact, isStale, sort, onSort, empty, ...row }: Props) {
  const can = useAccess()
  const { selection } = row
  const parts = { retryingOf, pausedWords: usePausedWords() }
  const columns = useColumns({ isCompact })
  const names = columns.map(({ name }) => name)
  const choice: Column = {
    label: 'Choose',
    width: 'w-11',
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
      isFixed
      columns={[
        ...(can('lead.manage') ? [choice] : []),
        ...columns.map(({ name, label, width, compactWidth = width }) => ({
          label,
          width: isCompact ? compactWidth : width,
          sort: orderOf(name, sort),
          head: <SortHead column={name} sort={sort} onSort={onSort} />,
        })),
        { label: 'Actions', width: 'w-16' },
      ]}
      rows={
        leads &&
        (leads.length === 0 ? [] : [<Rows key="rows" {...{ leads, isStale, ...parts, ...row }} columns={names} />])
      }
      isStale={isStale}
      empty={empty}
    />
  )
}

type RowsProps = Omit<RowProps, 'lead' | 'retrying'> & Pick<Props, 'retryingOf' | 'isStale'> & { leads: ListedLead[] }

/**
 * The rows of the list. Old rows, which others are about to replace, are drawn again only if something was done with one of them:
 * drawing them for their links alone would delay the request for the others.
 */
const Rows = memo(
  ({ leads, retryingOf, isStale: _, ...row }: RowsProps) =>
    leads.map((lead) => <LeadRow key={lead.id} lead={lead} retrying={retryingOf(lead.id)} {...row} />),
  (before, now) =>
    now.isStale &&
    before.leads === now.leads &&
    before.opening.openId === now.opening.openId &&
    before.selection.ids === now.selection.ids &&
    before.selection.isAll === now.selection.isAll &&
    before.deleting === now.deleting &&
    now.leads.every(({ id }) => {
      const [was, is] = [before.retryingOf(id), now.retryingOf(id)]
      return was.crm === is.crm && was.email === is.email
    }),
)

type SortColumn = (typeof LEAD_COLUMNS)[number]['name']

/** The field that a column sorts by. */
const fieldOf = (column: SortColumn) => (column === 'contact' ? 'name' : column)

function orderOf(column: SortColumn, sort: LeadSort): 'ascending' | 'descending' | 'none' {
  if (sort === fieldOf(column)) return 'ascending'
  return sort === `-${fieldOf(column)}` ? 'descending' : 'none'
}

/** Shows the head of a column, which sorts by it. */
function SortHead({ column, sort, onSort }: { column: SortColumn; sort: LeadSort; onSort: (sort: LeadSort) => void }) {
  const { label, isNewestFirst } = LEAD_COLUMNS.find(({ name }) => name === column) ?? { label: column }
  const order = orderOf(column, sort)
  // Dates start with the newest, texts with A.
  const first = isNewestFirst ? 'descending' : 'ascending'
  const next = order === 'none' ? first : order === 'ascending' ? 'descending' : 'ascending'

  return (
    <button
      type="button"
      onClick={() => onSort(next === 'ascending' ? fieldOf(column) : `-${fieldOf(column)}`)}
      className="group -mx-1.5 inline-flex min-h-7 items-center gap-1 rounded px-1.5 font-semibold hover:text-ink"
    >
      {label}
      <svg
        viewBox="0 0 12 12"
        aria-hidden="true"
        className={`size-3 ${order === 'none' ? 'opacity-0 group-hover:opacity-50 group-focus-visible:opacity-50' : 'text-secondary'}`}
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
