import { useId, useState } from 'react'
import { exportLeads, type LeadCounts, type LeadFilter, LeadSort } from '../../../core/leads/contract/leads.ts'
import { urlOf } from '../../lib/call.ts'
import { useWideScreen } from '../../lib/hooks.ts'
import { formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { MenuChoice, MenuItem, MenuSeparator, MoreButton } from '../../ui/menu.tsx'
import { useAccess, useMe, usePreferences } from '../access.tsx'
import { download, ExportButton } from '../exports.tsx'
import { FilterPills, LeadFilters, LeadSearch, PANEL_FILTERS } from './lead-filters.tsx'
import { useFilterValues } from './lead-work.tsx'
import { StopByHandDialog } from './opt-outs.tsx'
import { exportQuery, isFiltered, type LeadView, SORT_WORDS, type ViewChange } from './use-leads-page.ts'

type Props = {
  view: LeadView
  setView: ViewChange
  count: number | undefined
  onDeleted: () => void
  onKeys: () => void
  onNewLead: () => void
}

export function LeadsToolbar(props: Props) {
  const can = useAccess()
  const id = useId()
  const { view, setView, count, onNewLead } = props
  const { filter } = view
  const [isOpen, setOpen] = useState(false)
  const { data: values } = useFilterValues()
  const number = PANEL_FILTERS.filter((name) => filter[name] !== undefined).length
  const onFilter = (change: Partial<LeadFilter>) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined)
    setView({ filter: Object.fromEntries(next) })
  }

  return (
    <search className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-center gap-x-1.5 gap-y-2 max-lg:flex-wrap">
        <LeadSearch filter={filter} setView={setView} />
        {/* Always as high as with a scroll bar. */}
        <div className="-m-0.5 flex min-w-0 items-center gap-1.5 overflow-x-auto p-0.5 [scrollbar-width:thin] max-lg:order-1 max-lg:w-full lg:h-11 lg:flex-1">
          <FilterPills {...{ filter, values, onFilter }} />
          {isFiltered(view) && (
            <SmallButton variant="ghost" onClick={() => setView({ filter: {} })} className="shrink-0">
              Clear all
            </SmallButton>
          )}
          <QuickFilters {...{ filter, onFilter }} counts={values?.counts} />
        </div>
        <SmallButton
          variant="ghost"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="shrink-0"
        >
          {number > 0 ? `Filters (${number})` : 'Filters'}
        </SmallButton>
        {can('lead.work') && (
          <SmallButton title="Key: c" onClick={onNewLead} className="shrink-0 max-lg:hidden">
            New lead
          </SmallButton>
        )}
        {can('lead.manage') && (
          <span className="shrink-0 max-lg:hidden @max-[58rem]:hidden">
            <ExportButton label="Export Leads CSV" href={exportUrl(view)} isEmpty={!count} />
          </span>
        )}
        <MoreForAll {...props} />
      </div>
      {isOpen && <LeadFilters {...{ id, filter, values, onFilter }} />}
    </search>
  )
}

const exportUrl = (view: LeadView) => urlOf(exportLeads, { query: exportQuery(view) })

type Quick = readonly [count: keyof LeadCounts, label: string, field: keyof LeadFilter, value: true | number]

const STATES: Quick[] = [
  ['failed', 'Failed', 'failed', true],
  ['unmatched', 'Unmatched', 'unmatched', true],
  ['held', 'Held', 'held', true],
  ['not_reached', 'Not delivered', 'not_reached', true],
  ['late', 'Late', 'late', true],
]
const DUE: Quick = ['due', 'Due today', 'due', true]

type QuickProps = {
  filter: LeadFilter
  onFilter: (change: LeadFilter) => void
  counts: LeadCounts | undefined
}

/** Shows the filters that are used most, each with the number of its leads. What agents do today comes first for them. */
function QuickFilters({ filter, onFilter, counts }: QuickProps) {
  const me = useMe()
  const isAgent = me?.role === 'agent'
  const own: Quick[] = me?.id && me.role !== 'viewer' ? [['mine', 'Mine', 'owner', me.id], DUE] : [DUE]
  const filters = isAgent ? [...own, ...STATES] : [...STATES, ...own]
  return filters.map((quick) => {
    const [name, label, field, value] = quick
    const isOn = filter[field] === value
    const count = counts?.[name]
    // A network that assigns no leads and plans no next actions has no use for it.
    if (own.includes(quick) && !isAgent && !isOn && !count) return null
    return (
      <button
        key={name}
        type="button"
        aria-pressed={isOn}
        title={count === undefined ? undefined : `${formatCount(count)} ${count === 1 ? 'lead' : 'leads'}`}
        onClick={() => onFilter({ [field]: isOn ? undefined : value })}
        className="group inline-flex min-h-8 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-lg border border-edge bg-background px-2.5 text-sm font-semibold text-ink hover:border-secondary aria-pressed:border-secondary aria-pressed:bg-lilac aria-pressed:text-primary max-lg:min-h-11"
      >
        {label}
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

function MoreForAll({ view, setView, count, onDeleted, onKeys, onNewLead }: Props) {
  const can = useAccess()
  const isWide = useWideScreen()
  const { preferences, change } = usePreferences()
  const [isStopping, setStopping] = useState(false)
  return (
    <>
      <MoreButton label="More for all leads">
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
            value={view.sort}
            onChoose={(sort) => setView({ sort: LeadSort.parse(sort) })}
          />
        )}
        <MenuSeparator />
        {can('lead.work') && !isWide && <MenuItem onChoose={onNewLead}>New lead</MenuItem>}
        {can('lead.manage') && (
          <MenuItem disabled={!count} onChoose={() => download(exportUrl(view))}>
            Export Leads CSV
          </MenuItem>
        )}
        <MenuItem onChoose={onDeleted}>Deleted</MenuItem>
        {can('lead.work') && <MenuItem onChoose={() => setStopping(true)}>Enter a STOP...</MenuItem>}
        <MenuItem onChoose={onKeys}>Keyboard shortcuts</MenuItem>
      </MoreButton>
      {isStopping && <StopByHandDialog onClose={() => setStopping(false)} />}
    </>
  )
}
