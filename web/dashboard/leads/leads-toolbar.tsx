import * as Menu from '@radix-ui/react-dropdown-menu'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { countLeads, exportLeads, type LeadFilter, LeadSort } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { call, urlOf } from '../../lib/call.ts'
import { formatCount } from '../../lib/numbers.ts'
import { useWideScreen } from '../../lib/use-wide-screen.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DisclosureButton } from '../../ui/disclosure-button.tsx'
import { MENU_CONTENT, MenuChoice, MenuItem, MenuSeparator, MoreButton } from '../../ui/menu.tsx'
import { useAccess } from '../access.tsx'
import { DownloadLink, isLarge, useStartExport } from '../exports.tsx'
import { usePreferences } from '../preferences.ts'
import { FilterPills } from './filter-pills.tsx'
import { LeadFilters, PANEL_FILTERS } from './lead-filters.tsx'
import { LeadSearch } from './lead-search.tsx'
import { exportQuery, isFiltered, type LeadView, SORT_WORDS } from './lead-view.ts'
import { useWorkOptions } from './lead-work.tsx'
import { StopByHandDialog } from './stop-by-hand.tsx'
import type { ViewChange } from './use-leads-page.ts'

type Props = {
  view: LeadView
  setView: ViewChange
  /** The number of all leads; undefined until it is loaded. */
  count: number | undefined
  /** The number of leads that match the filter. */
  total: number | undefined
  providers: PublicProvider[] | undefined
  /** Whether a lead is open beside the list, which leaves less room. */
  isCompact: boolean
  /** Called to show the deleted leads. */
  onDeleted: () => void
  onKeys: () => void
  onNewLead: () => void
}

/** Shows search, filters and the actions for all leads, in one line where there is room. */
export function LeadsToolbar({
  view,
  setView,
  count,
  total,
  providers,
  isCompact,
  onDeleted,
  onKeys,
  onNewLead,
}: Props) {
  const can = useAccess()
  const id = useId()
  const { filter } = view
  const slow = PANEL_FILTERS.filter((name) => filter[name] !== undefined).length
  const [isOpen, setOpen] = useState(slow > 0)
  const { data: work } = useWorkOptions({ enabled: isOpen || filter.owner !== undefined })
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
          <FilterPills filter={filter} onFilter={setFilter} providers={providers} staff={work?.staff} />
          {isFiltered(view) && (
            <Button variant="ghost" size="small" onClick={() => setView({ filter: {} })}>
              Clear all
            </Button>
          )}
          <DisclosureButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
            {slow > 0 ? `Filters (${slow})` : 'Filters'}
          </DisclosureButton>
          <DisplayMenu sort={view.sort} onSort={(sort) => setView({ sort })} />
          {can('lead.work') && (
            <Button variant="outline" size="small" title="Key: c" onClick={onNewLead}>
              New lead
            </Button>
          )}
          {can('lead.manage') && <ExportLink view={view} isEmpty={!count} total={total} />}
        </div>
        {isOneLine && more}
      </div>
      {isOpen && <LeadFilters {...{ id, filter, providers, work }} onFilter={setFilter} />}
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
  const { data: counts } = useQuery({ queryKey: ['leads', 'list', 'counts'], queryFn: () => call(countLeads) })
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
  const [wanted, setWanted] = useState<'stop' | 'keys'>()
  const [dialog, setDialog] = useState<'stop'>()
  const close = () => setDialog(undefined)

  // A dialog returns the focus to the element that had it, which must be this button.
  function onClosed() {
    if (wanted === 'keys') onKeys()
    else setDialog(wanted)
    setWanted(undefined)
  }

  return (
    <>
      <MoreButton label="More for all leads" onClosed={onClosed}>
        <MenuItem onChoose={onDeleted}>Deleted</MenuItem>
        {can('lead.work') && <MenuItem onChoose={() => setWanted('stop')}>Enter a STOP...</MenuItem>}
        <MenuSeparator />
        <MenuItem onChoose={() => setWanted('keys')}>Keyboard shortcuts</MenuItem>
      </MoreButton>
      {dialog === 'stop' && <StopByHandDialog onClose={close} />}
    </>
  )
}

function ExportLink({ view, isEmpty, total }: { view: LeadView; isEmpty: boolean; total: number | undefined }) {
  const look = { variant: 'outline', size: 'small' } as const
  const label = 'Export Leads CSV'
  const { mutate: start, isPending } = useStartExport()
  if (isEmpty || isLarge(total)) {
    return (
      <Button {...look} disabled={isEmpty} busy={isPending} onClick={() => start(exportQuery(view))}>
        {label}
      </Button>
    )
  }
  return (
    <DownloadLink
      href={urlOf(exportLeads, { query: exportQuery(view) })}
      className={`${buttonClass(look)} hover:border-secondary`}
    >
      {label}
    </DownloadLink>
  )
}
function withoutEmpty(filter: LeadFilter): LeadFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}
