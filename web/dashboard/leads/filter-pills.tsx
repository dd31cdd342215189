import { CAUSE_WORDS, DELIVERY_WORDS } from '../../../core/contract/failure-causes.ts'
import type { Colleague } from '../../../core/contract/lead-work.ts'
import type { LeadFilter } from '../../../core/contract/leads.ts'
import { OUTCOME_WORDS } from '../../../core/contract/outcomes.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { formatIsoDay } from '../../lib/dates.ts'

/** What the ids of a filter are named by; undefined until it is loaded. */
type Known = { providers: PublicProvider[] | undefined; staff: Colleague[] | undefined }
type Props = Known & { filter: LeadFilter; onFilter: (change: Partial<LeadFilter>) => void }
type Name = Exclude<keyof LeadFilter, 'q'>
type Words = { [One in Name]: (value: NonNullable<LeadFilter[One]>, known: Known) => string | undefined }

/** Each filter in words. The search and the filters with a chip of their own have none. */
const WORDS: Words = {
  failed: (failed) => (failed ? undefined : 'Not failed'),
  unmatched: (unmatched) => (unmatched ? undefined : 'Matched'),
  held: (held) => (held ? undefined : 'Not held'),
  not_reached: (notReached) => (notReached ? undefined : 'Without those not reached'),
  late: (late) => (late ? undefined : 'Not late'),
  cause: (cause) => CAUSE_WORDS[cause].replace(/\.$/, ''),
  target: (target) => `Failing: ${DELIVERY_WORDS[target]}`,
  asked_by_sync: () => 'Within reach of new clinics',
  crm_sync_status: (status) => `CRM sync: ${status}`,
  email_status: (status) => `E-mail: ${status}`,
  outcome: (outcome) => `Outcome: ${outcome === 'none' ? 'none yet' : OUTCOME_WORDS[outcome]}`,
  repeat: (repeat) => (repeat ? 'Asked before' : 'First request'),
  provider_id: (id, { providers }) => `Provider: ${providers?.find((each) => each.id === id)?.name ?? `no. ${id}`}`,
  state: (state) => `State: ${state}`,
  source: (source) => `Source: ${source === 'none' ? 'unknown' : source}`,
  campaign: (campaign) => `Campaign: ${campaign}`,
  owner: (owner, { staff }) => `Owner: ${owner === 'none' ? 'nobody' : ownerName(owner, staff)}`,
  tag: (tag) => `Tag: ${tag}`,
  due: (due) => (due ? undefined : 'Not due'),
  from: (day) => `Since ${formatIsoDay(day)}`,
  to: (day) => `Until ${formatIsoDay(day)}`,
}

/** Shows the filters that are set, each with a button that removes it. */
export function FilterPills({ filter, onFilter, ...known }: Props) {
  const pills = (Object.keys(WORDS) as Name[]).flatMap((name) => {
    const words = wordsOf(name, filter, known)
    return words === undefined ? [] : [{ name, words }]
  })
  return pills.map(({ name, words }) => (
    <button
      key={name}
      type="button"
      aria-label={`${words}: remove this filter`}
      onClick={() => onFilter({ [name]: undefined })}
      className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-secondary bg-lilac px-2.5 text-sm font-semibold wrap-anywhere text-primary max-lg:min-h-11"
    >
      {words} <span aria-hidden="true">×</span>
    </button>
  ))
}

/** Names the owner of a filter. One that is not in the list has a disabled account, or the list is not loaded yet. */
export const ownerName = (id: number, staff: Known['staff']) =>
  staff?.find((each) => each.id === id)?.name ?? `account no. ${id}`

function wordsOf<One extends Name>(name: One, filter: LeadFilter, known: Known): string | undefined {
  const value = filter[name]
  return value === undefined || value === null ? undefined : WORDS[name](value, known)
}
