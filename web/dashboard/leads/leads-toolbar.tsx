import { useId, useState } from 'react'
import { CAUSE_WORDS, DELIVERY_WORDS } from '../../../core/contract/failure-causes.ts'
import { exportLeads, type LeadFilter, LeadSort } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { urlOf } from '../../lib/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DisclosureButton } from '../../ui/disclosure-button.tsx'
import { DownloadLink } from '../download-link.tsx'
import { isLarge, useStartExport } from '../exports.tsx'
import { ConversionsButton } from './conversions.tsx'
import { LeadFilters } from './lead-filters.tsx'
import { LeadSearch } from './lead-search.tsx'
import { exportQuery, isFiltered, type LeadView, SORT_WORDS } from './lead-view.ts'
import { StopByHandDialog } from './stop-by-hand.tsx'
import type { ViewChange } from './use-leads-page.ts'

const QUICK = { failed: 'Failed', unmatched: 'Unmatched', held: 'Held', late: 'Late' } as const
const SLOW = ['crm_sync_status', 'email_status', 'outcome', 'repeat', 'provider_id', 'from', 'to'] as const

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
  const slow = SLOW.filter((name) => filter[name] !== undefined).length
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
        {(Object.keys(QUICK) as (keyof typeof QUICK)[]).map((name) => (
          <Button
            key={name}
            variant="outline"
            size="small"
            aria-pressed={filter[name] === true}
            onClick={() => setFilter({ [name]: filter[name] ? undefined : true })}
            className="aria-pressed:border-secondary aria-pressed:bg-lilac aria-pressed:text-primary"
          >
            {QUICK[name]}
          </Button>
        ))}
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
        <FilterChips filter={filter} onFilter={setFilter} />
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

type ChipsProps = { filter: LeadFilter; onFilter: (change: Partial<LeadFilter>) => void }
type Words = { [Name in keyof LeadFilter]?: (value: NonNullable<LeadFilter[Name]>) => string | undefined }

/** The filters that other tabs set by links and that have no control. */
const WORDS: Words = {
  target: (target) => `Failing: ${DELIVERY_WORDS[target]}`,
  cause: (cause) => CAUSE_WORDS[cause].words.replace(/\.$/, ''),
  asked_by_sync: () => 'Within reach of new clinics',
  failed: (failed) => (failed ? undefined : 'Not failed'),
  unmatched: (unmatched) => (unmatched ? undefined : 'Matched'),
  held: (held) => (held ? undefined : 'Not held'),
  late: (late) => (late ? undefined : 'Not late'),
}

/** Shows the filters that have no control, each with a button to remove it. */
function FilterChips({ filter, onFilter }: ChipsProps) {
  return (Object.keys(WORDS) as (keyof LeadFilter)[]).map((name) => {
    const words = wordsOf(name, filter)
    if (words === undefined) return null
    return (
      <Button
        key={name}
        variant="outline"
        size="small"
        aria-label={`${words}: remove this filter`}
        onClick={() => onFilter({ [name]: undefined })}
        className="border-secondary bg-lilac text-primary"
      >
        {words} <span aria-hidden="true">×</span>
      </Button>
    )
  })
}

function wordsOf<Name extends keyof LeadFilter>(name: Name, filter: LeadFilter): string | undefined {
  const value = filter[name]
  return value === undefined || value === null ? undefined : WORDS[name]?.(value)
}
