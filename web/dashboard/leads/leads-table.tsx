import type { ReactNode } from 'react'
import { isMasked, telUrl } from '../../../core/contract/texts.ts'
import type { LeadSort, ListedLead } from '../../../core/leads/contract/leads.ts'
import { Icon } from '../../ui/drawing.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { type Column, isRowClick, sortable, Table } from '../../ui/table.tsx'
import { useAccess } from '../access.tsx'
import { usePausedWords } from '../job-labels.tsx'
import { LeadMenu } from './lead-bar.tsx'
import { type CellProps, COLUMNS } from './lead-columns.tsx'
import type { Retrying } from './lead-deliveries.tsx'
import type { Selection } from './row-keys.ts'

type RowProps = CellProps & {
  selection: Selection
  deleting: number | undefined
}

type Props = Omit<RowProps, 'lead' | 'retrying' | 'pausedWords'> & {
  leads: ListedLead[] | undefined
  retryingOf: (id: number) => Retrying
  isStale: boolean
  sort: LeadSort
  onSort: (sort: LeadSort) => void
  empty: ReactNode
}

export function LeadsTable({ leads, retryingOf, isStale, sort, onSort, empty, ...row }: Props) {
  const can = useAccess()
  const { selection } = row
  const pausedWords = usePausedWords()
  const choice: Column = {
    label: 'Choose',
    width: 'lg:w-11',
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
        ...COLUMNS.map(({ name, label, width }) => ({
          ...sortable({ label, key: name, sort, descendsFirst: name === 'created_at', onSort }),
          width,
        })),
        { label: 'Actions', width: 'lg:w-16' },
      ]}
      rows={leads?.map((lead) => (
        <LeadRow key={lead.id} {...{ lead, pausedWords, ...row }} retrying={retryingOf(lead.id)} />
      ))}
      isStale={isStale}
      empty={empty}
    />
  )
}

/** What the state of a lead asks for is always in sight; the other acts while the row has the pointer or the focus. */
function LeadRow(props: RowProps) {
  const can = useAccess()
  const { lead, opening, selection, deleting } = props
  const isOpen = opening.openId === lead.id
  const isChosen = selection.has(lead.id)
  // A card shows its check box once a lead is chosen, in the place of its buttons.
  const isChoosing = can('lead.manage') && (selection.isAll || selection.ids.size > 0)
  const look = isOpen ? 'bg-lilac/60' : isChosen ? 'bg-mist' : 'hover:bg-mist/70'

  return (
    <tr
      data-lead={lead.id}
      tabIndex={-1}
      aria-current={isOpen || undefined}
      aria-busy={deleting === lead.id || undefined}
      onClick={(event) => isRowClick(event) && opening.open(lead.id)}
      className={`group/row grid scroll-my-24 grid-cols-[repeat(12,minmax(0,1fr))_auto] items-center border-t border-line py-1.5 pr-1 pl-3 text-[0.8125rem] leading-4.5 first:border-0 focus-visible:bg-lilac/40 focus-visible:-outline-offset-3! aria-busy:opacity-50 lg:table-row lg:h-11 dense:lg:h-9 ${look}`}
    >
      {can('lead.manage') && (
        <td
          className={`lg:border-t lg:border-line lg:pr-2 lg:pl-4 ${isChoosing ? 'max-lg:col-start-13 max-lg:row-span-3 max-lg:row-start-1' : 'max-lg:hidden'}`}
        >
          <RowCheckbox
            label={`Choose ${lead.first_name} ${lead.last_name}`}
            isChecked={isChosen}
            onToggle={(isRange) => selection.toggle(lead.id, isRange)}
          />
        </td>
      )}
      {COLUMNS.map(({ name, width, card, Cell }) => (
        <td
          key={name}
          className={`min-w-0 truncate max-lg:pr-1.5 lg:border-t lg:border-line lg:px-2 lg:first:pl-4 ${width} ${card}`}
        >
          <Cell {...props} />
        </td>
      ))}
      <td
        className={`max-lg:col-start-13 max-lg:row-span-3 max-lg:row-start-1 lg:border-t lg:border-line ${isChoosing ? 'max-lg:hidden' : 'max-lg:flex'}`}
      >
        <CallButton phone={lead.phone} name={lead.first_name} />
        <LeadMenu lead={lead}>
          <MenuItem onChoose={() => opening.open(lead.id)}>Open</MenuItem>
          {can('lead.manage') && <MenuItem onChoose={() => selection.toggle(lead.id)}>Select</MenuItem>}
        </LeadMenu>
      </td>
    </tr>
  )
}

const PHONE =
  'M4 2.5h3l1.5 4-2 1.5a10 10 0 0 0 5.5 5.5l1.5-2 4 1.5v3a1.5 1.5 0 0 1-1.5 1.5C8.5 17.5 2.5 11.5 2.5 4A1.5 1.5 0 0 1 4 2.5Z'

function CallButton({ phone, name }: { phone: string; name: string }) {
  const url = isMasked(phone) ? null : telUrl(phone)
  if (!url) return null
  return (
    <a href={url} className="grid size-11 place-items-center rounded-lg text-secondary hover:bg-mist lg:hidden">
      <span className="sr-only">Call {name}</span>
      <Icon d={PHONE} box={20} width={1.6} className="size-5" />
    </a>
  )
}

type BoxProps = {
  label: string
  isChecked: boolean
  disabled?: boolean
  /** `isRange`: the shift key was held. */
  onToggle: (isRange: boolean) => void
}

function RowCheckbox({ label, isChecked, disabled, onToggle }: BoxProps) {
  return (
    // Larger than the box, so that a finger meets it.
    <label className="grid size-6 place-items-center max-lg:size-11">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        disabled={disabled}
        onChange={({ nativeEvent }) => onToggle((nativeEvent as MouseEvent).shiftKey === true)}
        className="block size-4 accent-secondary max-lg:size-6"
      />
    </label>
  )
}
