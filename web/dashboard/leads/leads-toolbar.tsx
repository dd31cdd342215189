import * as Menu from '@radix-ui/react-dropdown-menu'
import { useId, useState } from 'react'
import { exportLeads, type LeadFilter, LeadSort } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import type { Person } from '../../../core/contract/session.ts'
import { urlOf } from '../../lib/call.ts'
import { useWideScreen } from '../../lib/use-wide-screen.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DisclosureButton } from '../../ui/disclosure-button.tsx'
import {
  MENU_CONTENT,
  MenuCheck,
  MenuChoice,
  MenuHeading,
  MenuItem,
  MenuSeparator,
  MoreButton,
} from '../../ui/menu.tsx'
import { DownloadLink, isLarge, useStartExport } from '../exports.tsx'
import { usePreferences } from '../preferences.ts'
import { LEAD_COLUMNS, useColumns } from './columns.ts'
import { FilterPills } from './filter-pills.tsx'
import { LeadFilters, PANEL_FILTERS } from './lead-filters.tsx'
import { LeadSearch } from './lead-search.tsx'
import { exportQuery, isFiltered, type LeadView, SORT_WORDS } from './lead-view.ts'
import { LeadViews } from './lead-views.tsx'
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
  canAct: boolean
  canStop: boolean
  me: Person | undefined
  /** Whether a lead is open beside the list, which leaves less room. */
  isCompact: boolean
  /** Called to show the deleted leads. */
  onDeleted: () => void
  onKeys: () => void
  onNew: () => void
}

/** Shows search, filters and the actions for all leads, in one line where there is room. */
export function LeadsToolbar({
  view,
  setView,
  count,
  total,
  providers,
  canAct,
  canStop,
  me,
  isCompact,
  onDeleted,
  onKeys,
  onNew,
}: Props) {
  const id = useId()
  const { filter } = view
  const slow = PANEL_FILTERS.filter((name) => filter[name] !== undefined).length
  const [isOpen, setOpen] = useState(slow > 0)
  const { data: work } = useWorkOptions({ enabled: isOpen || filter.owner !== undefined })
  const setFilter = (change: Partial<LeadFilter>) => setView({ filter: withoutEmpty({ ...filter, ...change }) })

  // Where the tools take two lines, the rarer ones stand beside the search.
  const isOneLine = useWideScreen() && !isCompact
  const more = <MoreForAll {...{ canAct, canStop, onDeleted, onKeys }} />

  return (
    <search className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
        <LeadSearch filter={filter} setView={setView} />
        {!isOneLine && more}
        <div className="-m-0.5 flex items-center gap-1.5 overflow-x-auto p-0.5 max-lg:w-full lg:flex-wrap lg:overflow-visible">
          <LeadViews view={view} setView={setView} canShare={canAct} />
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
          {canStop && (
            <Button variant="outline" size="small" title="Key: c" onClick={onNew}>
              New lead
            </Button>
          )}
          {canAct && <ExportLink view={view} isEmpty={!count} total={total} />}
        </div>
        {isOneLine && more}
      </div>
      {isOpen && <LeadFilters {...{ id, filter, providers, work, me }} onFilter={setFilter} />}
    </search>
  )
}

const DENSITIES = { comfortable: 'Comfortable', dense: 'Dense' } as const

/** Chooses how the list is shown. Narrow screens have no column heads: the order is chosen here. */
function DisplayMenu({ sort, onSort }: { sort: LeadSort; onSort: (sort: LeadSort) => void }) {
  const isWide = useWideScreen()
  const { preferences, change } = usePreferences()
  const { isHidden, toggle } = useColumns({ isCompact: false })
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={buttonClass({ variant: 'ghost', size: 'small' })}>Display</Menu.Trigger>
      <Menu.Portal>
        <Menu.Content align="end" sideOffset={4} collisionPadding={12} className={MENU_CONTENT}>
          {isWide ? (
            <>
              <MenuChoice
                label="Rows"
                words={DENSITIES}
                value={preferences.density}
                onChoose={(density) => change({ density })}
              />
              <MenuSeparator />
              <Menu.Group aria-label="Columns">
                <MenuHeading>Columns</MenuHeading>
                {LEAD_COLUMNS.map(
                  ({ name, label, isFixed }) =>
                    !isFixed && (
                      <MenuCheck key={name} isChecked={!isHidden(name)} onToggle={() => toggle(name)}>
                        {label}
                      </MenuCheck>
                    ),
                )}
              </Menu.Group>
            </>
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

type MoreProps = Pick<Props, 'canAct' | 'canStop' | 'onDeleted' | 'onKeys'>

/** The rarer acts, which concern no single lead. */
function MoreForAll({ canAct, canStop, onDeleted, onKeys }: MoreProps) {
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
        {canStop && <MenuItem onChoose={() => setWanted('stop')}>Enter a STOP...</MenuItem>}
        <MenuSeparator />
        <MenuItem onChoose={() => setWanted('keys')}>Keyboard shortcuts</MenuItem>
      </MoreButton>
      {dialog === 'stop' && <StopByHandDialog canLift={canAct} onClose={close} />}
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
