import { useId } from 'react'
import { CAUSE_WORDS } from '../../../core/contract/failure-causes.ts'
import { type DeliveryStatus, FailureCause } from '../../../core/contract/jobs.ts'
import type { Colleague } from '../../../core/contract/lead-work.ts'
import type { LeadFilter, LeadFilterValues } from '../../../core/contract/leads.ts'
import { OUTCOME_WORDS } from '../../../core/contract/outcomes.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import type { Person } from '../../../core/contract/session.ts'
import { type Days, lastDays, timeZoneName, yesterday } from '../../lib/dates.ts'
import { parseId } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { useMe } from '../access.tsx'
import { ownerName } from './filter-pills.tsx'

type Props = {
  id: string
  filter: LeadFilter
  onFilter: (change: Partial<LeadFilter>) => void
  providers: PublicProvider[] | undefined
  /** The values to choose from; undefined until they are loaded. */
  values: LeadFilterValues | undefined
}

/** The filters that have a control in the panel. */
export const PANEL_FILTERS = [
  ...['crm_sync_status', 'email_status', 'cause', 'outcome', 'repeat', 'provider_id', 'state', 'source', 'campaign'],
  ...['owner', 'tag'],
  ...['from', 'to'],
] as const satisfies (keyof LeadFilter)[]

const CAUSE_CHOICES = Object.fromEntries(
  FailureCause.options.map((cause) => [cause, CAUSE_WORDS[cause].replace(/\.$/, '')]),
) as Record<FailureCause, string>
const STATUS_WORDS: Record<DeliveryStatus, string> = { pending: 'Pending', success: 'Success', failed: 'Failed' }
const OUTCOME_CHOICES = { none: 'None yet', ...OUTCOME_WORDS }
const REPEAT_CHOICES = { true: 'Asked before', false: 'First request' }
const LABEL = 'text-sm font-semibold text-ink'
const CONTROL =
  'min-h-9 w-full rounded-lg border border-edge bg-background px-2 text-sm text-ink hover:border-secondary max-lg:min-h-11'

/** Shows the less frequent filters. */
export function LeadFilters({ id, filter, onFilter, providers, values }: Props) {
  const me = useMe()
  return (
    <div
      id={id}
      className="grid grid-cols-2 gap-3 rounded-lg border border-line bg-background p-4 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-8"
    >
      <ChoiceSelect
        label="CRM Sync"
        words={STATUS_WORDS}
        chosen={filter.crm_sync_status}
        onChoose={(crm_sync_status) => onFilter({ crm_sync_status })}
      />
      <ChoiceSelect
        label="E-mail"
        words={STATUS_WORDS}
        chosen={filter.email_status}
        onChoose={(email_status) => onFilter({ email_status })}
      />
      <ChoiceSelect
        label="Failing because"
        words={CAUSE_CHOICES}
        chosen={filter.cause}
        onChoose={(cause) => onFilter({ cause })}
      />
      <ChoiceSelect
        label="Outcome"
        words={OUTCOME_CHOICES}
        chosen={filter.outcome}
        onChoose={(outcome) => onFilter({ outcome })}
      />
      <ChoiceSelect
        label="Person"
        words={REPEAT_CHOICES}
        chosen={filter.repeat === undefined ? undefined : `${filter.repeat}`}
        onChoose={(repeat) => onFilter({ repeat: repeat && repeat === 'true' })}
      />
      <ChoiceSelect
        label="Provider"
        words={providerWords(filter.provider_id, providers)}
        chosen={filter.provider_id === undefined ? undefined : choiceOf(filter.provider_id)}
        onChoose={(choice) => onFilter({ provider_id: parseId(choice?.slice(1) ?? null) })}
      />
      <ChoiceSelect
        label="State"
        words={valueWords(values?.states, filter.state)}
        chosen={filter.state}
        onChoose={(state) => onFilter({ state })}
      />
      <ChoiceSelect
        label="Source"
        words={{ none: 'Unknown', ...valueWords(values?.sources, filter.source) }}
        chosen={filter.source}
        onChoose={(source) => onFilter({ source })}
      />
      <ChoiceSelect
        label="Campaign"
        words={{ none: 'None', ...valueWords(values?.campaigns, filter.campaign) }}
        chosen={filter.campaign}
        onChoose={(campaign) => onFilter({ campaign })}
      />
      <ChoiceSelect
        label="Owner"
        words={ownerWords(filter.owner, values?.staff, me)}
        chosen={filter.owner === undefined ? undefined : choiceOf(filter.owner)}
        onChoose={(choice) => onFilter({ owner: ownerOf(choice) })}
      />
      <ChoiceSelect
        label="Tag"
        words={valueWords(values?.tags, filter.tag)}
        chosen={filter.tag}
        onChoose={(tag) => onFilter({ tag })}
      />
      <DayInput label="From" day={filter.from} onDay={(from) => onFilter({ from })} />
      <DayInput label="To" day={filter.to} onDay={(to) => onFilter({ to })} />
      <DayPresets chosen={filter} onChoose={onFilter} />
    </div>
  )
}

type ChoiceProps<Choice extends string> = {
  label: string
  /** The choices, with their words. */
  words: Record<Choice, string>
  chosen: Choice | undefined
  onChoose: (choice: Choice | undefined) => void
}

function ChoiceSelect<Choice extends string>({ label, words, chosen, onChoose }: ChoiceProps<Choice>) {
  const id = useId()
  const choices = Object.keys(words) as Choice[]
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className={LABEL}>
        {label}
      </label>
      <select
        id={id}
        value={chosen ?? ''}
        onChange={({ target }) => onChoose(choices.find((choice) => choice === target.value))}
        className={CONTROL}
      >
        <option value="">Any</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {words[choice]}
          </option>
        ))}
      </select>
    </div>
  )
}

const PRESETS: [name: string, days: () => Days][] = [
  ['Today', () => lastDays(1)],
  ['Yesterday', yesterday],
  ['7 days', () => lastDays(7)],
  ['30 days', () => lastDays(30)],
]

/** Sets both days with one click; a second click removes them. */
function DayPresets({ chosen, onChoose }: { chosen: LeadFilter; onChoose: (days: Partial<LeadFilter>) => void }) {
  return (
    <div className="col-span-full flex flex-wrap items-center gap-2">
      {PRESETS.map(([name, daysOf]) => {
        const { from, to } = daysOf()
        const isChosen = chosen.from === from && chosen.to === to
        return (
          <Button
            key={name}
            variant="outline"
            size="small"
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? { from: undefined, to: undefined } : daysOf())}
            className="aria-pressed:border-secondary aria-pressed:bg-lilac aria-pressed:text-primary"
          >
            {name}
          </Button>
        )
      })}
      <p className="text-sm text-quiet max-sm:w-full">Days are in {timeZoneName()}.</p>
    </div>
  )
}

/** Returns the choices of values that leads have, and of the chosen one, which they may have no more. */
function valueWords(values: string[] = [], chosen: string | undefined): Record<string, string> {
  const known = chosen === undefined || chosen === 'none' || values.includes(chosen) ? values : [...values, chosen]
  return Object.fromEntries(known.filter((value) => value !== 'none').map((value) => [value, value]))
}

/** Returns the providers to choose from, and the chosen one, which may not be loaded. */
function providerWords(chosen: number | undefined, providers: PublicProvider[] = []): Record<string, string> {
  const known = providers.map(({ id, name, zipCode }) => [choiceOf(id), `${name} - ${zipCode}`])
  const unknown = chosen === undefined || providers.some(({ id }) => id === chosen) ? [] : [chosen]
  return Object.fromEntries([...unknown.map((id) => [choiceOf(id), `Provider #${id}`]), ...known])
}

type Owner = LeadFilter['owner']
/** The choice of an owner or a provider. The letter keeps the order of the choices: numbers alone would come first. */
const choiceOf = (owner: NonNullable<Owner>) => (owner === 'none' ? owner : `a${owner}`)
const ownerOf = (choice: string | undefined): Owner => (choice === 'none' ? choice : parseId(choice?.slice(1) ?? null))

/** Returns the owners to choose from: nobody, the viewer, the others, and the chosen one, whose account may be disabled. */
function ownerWords(chosen: Owner, staff: Colleague[] | undefined, me: Person | undefined): Record<string, string> {
  const others = (staff ?? []).filter(({ id }) => id !== me?.id)
  const words: Record<string, string> = {
    none: 'Nobody',
    ...(me && me.id !== null && { [choiceOf(me.id)]: 'Me' }),
    ...Object.fromEntries(others.map(({ id, name }) => [choiceOf(id), name])),
  }
  const isKnown = chosen === undefined || chosen === 'none' || choiceOf(chosen) in words
  return isKnown ? words : { ...words, [choiceOf(chosen)]: ownerName(chosen, staff) }
}

type DayProps = { label: string; day: string | undefined; onDay: (day: string | undefined) => void }

function DayInput({ label, day, onDay }: DayProps) {
  const id = useId()
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className={LABEL}>
        {label}
      </label>
      <input
        id={id}
        type="date"
        min="1970-01-01"
        value={day ?? ''}
        onChange={({ target }) => onDay(target.value || undefined)}
        className={CONTROL}
      />
    </div>
  )
}
