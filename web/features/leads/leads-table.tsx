import type { ReactNode } from 'react'
import type { Lead, LeadSort } from '../../../core/contract/leads.ts'
import { Table } from '../../ui/table.tsx'
import { LeadRow, type RowProps } from './lead-row.tsx'
import { RowCheckbox } from './row-checkbox.tsx'
import { orderOf, SortHead } from './sort-head.tsx'

type Props = Omit<RowProps, 'lead'> & {
  /** Undefined until they are loaded. */
  leads: Lead[] | undefined
  isStale: boolean
  sort: LeadSort
  onSort: (sort: LeadSort) => void
  empty: ReactNode
}

export function LeadsTable({ leads, isStale, sort, onSort, empty, ...row }: Props) {
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
        label="Choose every lead of this page"
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
      rows={leads?.map((lead) => <LeadRow key={lead.id} lead={lead} {...row} />)}
      isStale={isStale}
      empty={empty}
    />
  )
}
