import { useEffect, useRef, useState } from 'react'
import { CAUSE_WORDS, DELIVERY_WORDS } from '../../../core/deliveries/contract/jobs.ts'
import { LeadFilter, type LeadFilterValues } from '../../../core/leads/contract/leads.ts'
import { OUTCOME_WORDS } from '../../../core/leads/contract/outcomes.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import type { Person } from '../../../core/staff/contract/session.ts'
import { formatIsoDay, lastDays, timeZoneName, yesterday } from '../../lib/dates.ts'
import { useSettled } from '../../lib/hooks.ts'
import { SmallButton } from '../../ui/button.tsx'
import { Icon, MAGNIFIER } from '../../ui/drawing.tsx'
import { useMe } from '../access.tsx'
import { useProviders } from '../providers/list-providers.tsx'
import type { ViewChange } from './use-leads-page.ts'

type Name = keyof LeadFilter
type Choices = (readonly [value: string, words: string])[]
type Known = {
  providers?: PublicProvider[]
  values?: LeadFilterValues
  me?: Person
}

const STATUSES: Choices = Object.entries({ pending: 'Pending', success: 'Success', failed: 'Failed' })
const named = (values: string[] = []): Choices => values.filter((value) => value !== 'none').map((name) => [name, name])

/** The filters with a list of choices, in their order. Values are written as in the address. */
const CHOICES: { [Each in Name]?: { label: string; of: (known: Known) => Choices } } = {
  crm_sync_status: { label: 'CRM Sync', of: () => STATUSES },
  email_status: { label: 'Email', of: () => STATUSES },
  outcome: { label: 'Outcome', of: () => [['none', 'None yet'], ...Object.entries(OUTCOME_WORDS)] },
  repeat: { label: 'Person', of: () => Object.entries({ true: 'Asked before', false: 'First request' }) },
  provider_id: {
    label: 'Provider',
    of: ({ providers = [] }) => providers.map(({ id, name, zipCode }) => [String(id), `${name} - ${zipCode}`]),
  },
  state: { label: 'State', of: ({ values }) => named(values?.states) },
  source: { label: 'Source', of: ({ values }) => [['none', 'Unknown'], ...named(values?.sources)] },
  campaign: { label: 'Campaign', of: ({ values }) => [['none', 'None'], ...named(values?.campaigns)] },
  owner: {
    label: 'Owner',
    of: ({ values, me }) => [
      ['none', 'Nobody'],
      ...(me && me.id !== null ? [[String(me.id), 'Me'] as const] : []),
      ...(values?.staff ?? []).filter(({ id }) => id !== me?.id).map(({ id, name }) => [String(id), name] as const),
    ],
  },
  tag: { label: 'Tag', of: ({ values }) => named(values?.tags) },
}

export const PANEL_FILTERS = [...Object.keys(CHOICES), 'from', 'to'] as Name[]

/** The words of the other filters that have no chip of their own. */
const WORDS: { [Each in Name]?: (value: NonNullable<LeadFilter[Each]>) => string } = {
  cause: (cause) => CAUSE_WORDS[cause].replace(/\.$/, ''),
  target: (target) => `Failing: ${DELIVERY_WORDS[target]}`,
  asked_by_sync: () => 'Within reach of new providers',
  from: (day) => `Since ${formatIsoDay(day)}`,
  to: (day) => `Until ${formatIsoDay(day)}`,
}

type Props = {
  filter: LeadFilter
  onFilter: (change: LeadFilter) => void
  values: LeadFilterValues | undefined
}

export function FilterPills({ filter, onFilter, values }: Props) {
  const me = useMe()
  const known = { values, me, providers: useProviders().data }
  return (Object.keys({ ...CHOICES, ...WORDS }) as Name[]).map((name) => {
    const value = filter[name]
    if (value === undefined || (name === 'owner' && value === me?.id)) return null
    const choices = CHOICES[name]
    const chosen = choices?.of(known).find(([each]) => each === String(value))
    const words = choices ? `${choices.label}: ${chosen?.[1] ?? value}` : WORDS[name]?.(value as never)
    return (
      <button
        key={name}
        type="button"
        aria-label={`${words}: remove this filter`}
        onClick={() => onFilter({ [name]: undefined })}
        className="inline-flex min-h-8 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full border border-secondary bg-lilac px-2.5 text-sm font-semibold text-primary max-lg:min-h-11"
      >
        {words} <span aria-hidden="true">×</span>
      </button>
    )
  })
}

export function LeadFilters({ id, filter, onFilter, values }: Props & { id: string }) {
  const known = { values, me: useMe(), providers: useProviders().data }
  return (
    <div
      id={id}
      className="grid grid-cols-2 gap-3 rounded-lg border border-line bg-background p-4 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6"
    >
      {Object.entries(CHOICES).map(([name, { label, of }]) => {
        const chosen = String(filter[name as Name] ?? '')
        const choices = of(known)
        // Perhaps no lead has the value now, or the choices are not loaded yet.
        const isKnown = chosen === '' || choices.some(([value]) => value === chosen)
        return (
          <label key={name} className={FIELD}>
            {label}
            <select
              value={chosen}
              onChange={({ target }) =>
                onFilter({ [name]: LeadFilter.shape[name as Name].safeParse(target.value || undefined).data })
              }
              className={CONTROL}
            >
              <option value="">Any</option>
              {(isKnown ? choices : [...choices, [chosen, chosen] as const]).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        )
      })}
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className={FIELD}>
          {name === 'from' ? 'From' : 'To'}
          <input
            type="date"
            min="1970-01-01"
            value={filter[name] ?? ''}
            onChange={({ target }) => onFilter({ [name]: target.value || undefined })}
            className={CONTROL}
          />
        </label>
      ))}
      <DayPresets chosen={filter} onChoose={onFilter} />
    </div>
  )
}

export const FIELD = 'grid content-start gap-1 text-sm font-semibold text-ink'
export const CONTROL =
  'min-h-9 w-full rounded-lg border border-edge bg-background px-2 text-sm font-normal text-ink hover:border-secondary max-lg:min-h-11'

/** Sets both days with one click; a second click removes them. */
function DayPresets({ chosen, onChoose }: { chosen: LeadFilter; onChoose: (days: LeadFilter) => void }) {
  const presets = { Today: lastDays(1), Yesterday: yesterday(), '7 days': lastDays(7), '30 days': lastDays(30) }
  return (
    <div className="col-span-full flex flex-wrap items-center gap-2">
      {Object.entries(presets).map(([name, { from, to }]) => {
        const isChosen = chosen.from === from && chosen.to === to
        return (
          <SmallButton
            key={name}
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? { from: undefined, to: undefined } : { from, to })}
            className="aria-pressed:border-secondary aria-pressed:bg-lilac aria-pressed:text-primary"
          >
            {name}
          </SmallButton>
        )
      })}
      <p className="text-sm text-quiet max-sm:w-full">Dates are in {timeZoneName()}.</p>
    </div>
  )
}

export const SEARCH_ID = 'lead-search'

const MAX_SEARCH_LENGTH = 100
/** In milliseconds. */
const SEARCH_DELAY = 250

export function LeadSearch({ filter, setView }: { filter: LeadFilter; setView: ViewChange }) {
  const { q } = filter
  const [text, setText] = useState(q ?? '')
  const settled = useSettled(text.trim(), SEARCH_DELAY) || undefined
  /** What this box has put into the address; its text may have changed since. Back and Forward put other things there. */
  const sent = useRef(q)
  useEffect(() => {
    if (q !== sent.current) setText(q ?? '')
    sent.current = q
  }, [q])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed goes into the address
  useEffect(() => {
    if (settled === sent.current) return
    sent.current = settled
    // Keystrokes replace the history entry, so that Back does not step through letters.
    setView({ filter: { ...filter, q: settled } }, { replace: settled !== undefined && q !== undefined })
  }, [settled])
  const goToList = useGoToList(text.trim() === (q ?? ''))
  return (
    <div className="relative max-lg:min-w-40 max-lg:flex-1 lg:w-80 lg:shrink-0">
      <Icon
        d={MAGNIFIER}
        box={20}
        width={1.75}
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-quiet"
      />
      <input
        id={SEARCH_ID}
        type="search"
        aria-label="Search leads"
        placeholder="Name, provider, place, phone or number"
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
          event.preventDefault()
          goToList()
        }}
        className="block min-h-8 w-full rounded-lg border border-edge bg-background pr-3 pl-9 text-sm max-lg:min-h-11 max-lg:text-base text-ink placeholder:text-quiet hover:border-secondary"
      />
    </div>
  )
}

/** Returns a function that focuses the first lead once the list shows what was typed. */
function useGoToList(isSearched: boolean): () => void {
  const isWanted = useRef(false)
  const [, setAsked] = useState(0)
  // The list renders with this box, and is busy until it shows what the address asks for.
  useEffect(() => {
    if (!isWanted.current || !isSearched || document.querySelector('table[aria-busy=true]')) return
    isWanted.current = false
    document.querySelector<HTMLElement>('tr[data-lead]')?.focus()
  })
  return () => {
    isWanted.current = true
    setAsked((count) => count + 1)
  }
}
