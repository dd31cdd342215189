import { useId, useState } from 'react'
import { exportLeads, type LeadFilter, LeadSort } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { urlOf } from '../../lib/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DisclosureButton } from '../../ui/disclosure-button.tsx'
import { DownloadLink } from '../download-link.tsx'
import { isLarge, useStartExport } from '../exports.tsx'
import { ConversionsButton } from './conversions.tsx'
import { FilterPills } from './filter-pills.tsx'
import { LeadFilters, PANEL_FILTERS } from './lead-filters.tsx'
import { LeadSearch } from './lead-search.tsx'
import { exportQuery, isFiltered, type LeadView, SORT_WORDS } from './lead-view.ts'
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
  /** Called to show the deleted leads. */
  onDeleted: () => void
  onKeys: () => void
}

/** Shows search, filters and the actions for all leads. */
export function LeadsToolbar({ view, setView, count, total, providers, canAct, canStop, onDeleted, onKeys }: Props) {
  const id = useId()
  const { filter } = view
  const slow = PANEL_FILTERS.filter((name) => filter[name] !== undefined).length
  const [isOpen, setOpen] = useState(slow > 0)
  const [isStopping, setStopping] = useState(false)
  const setFilter = (change: Partial<LeadFilter>) => setView({ filter: withoutEmpty({ ...filter, ...change }) })

  return (
    <search className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <LeadSearch filter={filter} setView={setView} />
        {canAct && <ExportLink view={view} isEmpty={!count} total={total} />}
        {canAct && <ConversionsButton />}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="outline" size="small" onClick={onDeleted}>
          Deleted
        </Button>
        {canStop && (
          <Button variant="outline" size="small" onClick={() => setStopping(true)}>
            Enter a STOP...
          </Button>
        )}
        <DisclosureButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
          {slow > 0 ? `Filters (${slow})` : 'Filters'}
        </DisclosureButton>
        <FilterPills filter={filter} onFilter={setFilter} providers={providers} />
        <SortSelect sort={view.sort} onSort={(sort) => setView({ sort })} />
        {isFiltered(view) && (
          <Button variant="ghost" size="small" onClick={() => setView({ filter: {} })}>
            Clear all
          </Button>
        )}
        <Button
          variant="ghost"
          size="small"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts"
          onClick={onKeys}
          className="ml-auto max-lg:hidden"
        >
          <kbd>?</kbd>
        </Button>
      </div>
      {isStopping && <StopByHandDialog canLift={canAct} onClose={() => setStopping(false)} />}
      {isOpen && <LeadFilters id={id} filter={filter} onFilter={setFilter} providers={providers} />}
    </search>
  )
}

/** Chooses the order on narrow screens, which have no column heads. */
function SortSelect({ sort, onSort }: { sort: LeadSort; onSort: (sort: LeadSort) => void }) {
  return (
    <select
      aria-label="Order"
      value={sort}
      onChange={({ target }) => onSort(LeadSort.parse(target.value))}
      className="min-h-8 rounded-full border border-edge bg-background px-3 text-sm font-semibold text-ink lg:hidden"
    >
      {LeadSort.options.map((option) => (
        <option key={option} value={option}>
          {SORT_WORDS[option]}
        </option>
      ))}
    </select>
  )
}

function ExportLink({ view, isEmpty, total }: { view: LeadView; isEmpty: boolean; total: number | undefined }) {
  const look = { variant: 'outline' } as const
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
