import * as Menu from '@radix-ui/react-dropdown-menu'
import { type ReactNode, useId, useRef, useState } from 'react'
import { exportLeads, type LeadFilter, LeadSort } from '../../../core/leads/contract/leads.ts'
import { urlOf } from '../../lib/call.ts'
import { useWideScreen } from '../../lib/hooks.ts'
import { formatCount } from '../../lib/numbers.ts'
import { buttonClass, SmallButton } from '../../ui/button.tsx'
import { MENU_CONTENT, MenuChoice, MenuItem, MenuSeparator, MoreButton } from '../../ui/menu.tsx'
import { useAccess } from '../access.tsx'
import { ExportButton } from '../exports.tsx'
import { usePreferences } from '../preferences.ts'
import { FilterPills, LeadFilters, LeadSearch, PANEL_FILTERS } from './lead-filters.tsx'
import { useFilterValues } from './lead-work.tsx'
import { StopByHandDialog } from './opt-outs.tsx'
import type { ViewChange } from './use-leads-page.ts'
import { exportQuery, isFiltered, type LeadView, SORT_WORDS } from './use-leads-page.ts'

type Props = {
  view: LeadView
  setView: ViewChange
  /** The number of all leads; undefined until it is loaded. */
  count: number | undefined
  /** Whether a lead is open beside the list, which leaves less room. */
  isCompact: boolean
  /** Called to show the deleted leads. */
  onDeleted: () => void
  onKeys: () => void
  onNewLead: () => void
}

/** Shows search, filters and the actions for all leads, in one line where there is room. */
export function LeadsToolbar({ view, setView, count, isCompact, onDeleted, onKeys, onNewLead }: Props) {
  const can = useAccess()
  const id = useId()
  const { filter } = view
  const slow = PANEL_FILTERS.filter((name) => filter[name] !== undefined).length
  const [isOpen, setOpen] = useState(slow > 0)
  const { data: values } = useFilterValues()
  const setFilter = (change: Partial<LeadFilter>) => setView({ filter: withoutEmpty({ ...filter, ...change }) })

  // Where the tools take two lines, the rarer ones stand beside the search.
  const isOneLine = useWideScreen() && !isCompact
  const more = <MoreForAll {...{ onDeleted, onKeys }} />

  return (
    <search className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
        <LeadSearch filter={filter} setView={setView} />
        {!isOneLine && more}
        <div className="-m-0.5 flex items-center gap-1.5 overflow-x-auto p-0.5 max-lg:w-full lg:flex-wrap lg:overflow-visible">
          <QuickFilters filter={filter} onFilter={(next) => setView({ filter: next })} />
          <FilterPills {...{ filter, values }} onFilter={setFilter} />
          {isFiltered(view) && (
            <SmallButton variant="ghost" onClick={() => setView({ filter: {} })}>
              Clear all
            </SmallButton>
          )}
          <DisclosureButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
            {slow > 0 ? `Filters (${slow})` : 'Filters'}
          </DisclosureButton>
          <DisplayMenu sort={view.sort} onSort={(sort) => setView({ sort })} />
          {can('lead.work') && (
            <SmallButton title="Key: c" onClick={onNewLead}>
              New lead
            </SmallButton>
          )}
          {can('lead.manage') && (
            <ExportButton
              label="Export Leads CSV"
              href={urlOf(exportLeads, { query: exportQuery(view) })}
              isEmpty={!count}
            />
          )}
        </div>
        {isOneLine && more}
      </div>
      {isOpen && <LeadFilters {...{ id, filter, values }} onFilter={setFilter} />}
    </search>
  )
}

const QUICK = {
  failed: 'Failed',
  unmatched: 'Unmatched',
  held: 'Held',
  not_reached: 'Not reached',
  late: 'Late',
  due: 'Due',
} as const

/** Shows the filters that are used most, each with the number of its leads. */
function QuickFilters({ filter, onFilter }: { filter: LeadFilter; onFilter: (filter: LeadFilter) => void }) {
  const counts = useFilterValues().data?.counts
  return (Object.keys(QUICK) as (keyof typeof QUICK)[]).map((name) => {
    const { [name]: isOn, ...others } = filter
    const count = counts?.[name]
    // Teams that plan no next actions have no use for it.
    if (name === 'due' && !isOn && !count) return null
    return (
      <button
        key={name}
        type="button"
        aria-pressed={isOn === true}
        title={count === undefined ? undefined : `${formatCount(count)} ${count === 1 ? 'lead' : 'leads'}`}
        onClick={() => onFilter(isOn ? others : { ...others, [name]: true })}
        className="group inline-flex min-h-8 max-w-full shrink-0 items-center gap-1.5 whitespace-nowrap rounded-lg border border-edge bg-background px-2.5 text-sm font-semibold text-ink hover:border-secondary aria-pressed:border-secondary aria-pressed:bg-lilac aria-pressed:text-primary max-lg:min-h-11"
      >
        {QUICK[name]}
        {count !== undefined && (
          <span aria-hidden="true" className="text-quiet tabular-nums group-aria-pressed:text-primary">
            {formatCount(count)}
          </span>
        )}
      </button>
    )
  })
}

const DENSITIES = { comfortable: 'Comfortable', dense: 'Dense' } as const

/** Chooses how the list is shown. Narrow screens have no column heads: the order is chosen here. */
function DisplayMenu({ sort, onSort }: { sort: LeadSort; onSort: (sort: LeadSort) => void }) {
  const isWide = useWideScreen()
  const { preferences, change } = usePreferences()
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={buttonClass({ variant: 'ghost', size: 'small' })}>Display</Menu.Trigger>
      <Menu.Portal>
        <Menu.Content align="end" sideOffset={4} collisionPadding={12} className={MENU_CONTENT}>
          {isWide ? (
            <MenuChoice
              label="Rows"
              words={DENSITIES}
              value={preferences.density}
              onChoose={(density) => change({ density })}
            />
          ) : (
            <MenuChoice
              label="Order"
              words={SORT_WORDS}
              value={sort}
              onChoose={(value) => onSort(LeadSort.parse(value))}
            />
          )}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  )
}

type MoreProps = Pick<Props, 'onDeleted' | 'onKeys'>

/** The rarer acts, which concern no single lead. */
function MoreForAll({ onDeleted, onKeys }: MoreProps) {
  const can = useAccess()
  const [isStopping, setStopping] = useState(false)
  /** Opens a dialog once the menu has closed: it returns the focus to the element that had it, which must be this button. */
  const next = useRef<() => void>(undefined)
  const later = (act: () => void) => () => {
    next.current = act
  }
  function onClosed() {
    next.current?.()
    next.current = undefined
  }

  return (
    <>
      <MoreButton label="More for all leads" onClosed={onClosed}>
        <MenuItem onChoose={onDeleted}>Deleted</MenuItem>
        {can('lead.work') && <MenuItem onChoose={later(() => setStopping(true))}>Enter a STOP...</MenuItem>}
        <MenuSeparator />
        <MenuItem onChoose={later(onKeys)}>Keyboard shortcuts</MenuItem>
      </MoreButton>
      {isStopping && <StopByHandDialog onClose={() => setStopping(false)} />}
    </>
  )
}

function withoutEmpty(filter: LeadFilter): LeadFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

type DisclosureButtonProps = {
  isOpen: boolean
  /** The id of what it opens. */
  controls: string
  onToggle: () => void
  children: ReactNode
}

function DisclosureButton({ isOpen, controls, onToggle, children }: DisclosureButtonProps) {
  return (
    <SmallButton variant="ghost" aria-expanded={isOpen} aria-controls={controls} onClick={onToggle}>
      {children}
      <svg
        viewBox="0 0 16 16"
        className={`size-3.5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        aria-hidden="true"
      >
        <path d="m3 6 5 5 5-5" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
    </SmallButton>
  )
}
