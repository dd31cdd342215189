import type { ReactNode } from 'react'
import type { LeadSort, ListedLead } from '../../../core/contract/leads.ts'
import { Table } from '../../ui/table.tsx'
import type { Retrying } from './lead-deliveries.tsx'
import { GoneRow, LeadRow, type RowProps } from './lead-row.tsx'
import { RowCheckbox } from './row-checkbox.tsx'
import { orderOf, SortHead } from './sort-head.tsx'

type Props = Omit<RowProps, 'lead' | 'retrying'> & {
  /** Undefined until they are loaded. */
  leads: ListedLead[] | undefined
  retryingOf: (id: number) => Retrying
  /** The height of the row of a lead that was deleted a moment ago, in pixels; undefined for the others. */
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
