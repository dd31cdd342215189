import { Command as Cmdk } from 'cmdk'
import { useId, useState } from 'react'
import { milesInWords } from '../../core/contract/texts.ts'
import type { DeliveryHealth } from '../../core/providers/contract/provider-record.ts'
import type { Obstacle } from '../../core/providers/contract/provider-rules.ts'
import { formatDuration } from '../lib/numbers.ts'
import { Alert, Badge } from '../ui/feedback.tsx'
import { HealthDot, obstacleWords, useProviderFigures } from './provider-link.tsx'

/** A clinic to choose. `miles` is undefined without a lead, and null if the distance is unknown. */
export type PickedProvider = {
  id: number
  name: string
  practiceName: string | null
  zipCode: string
  city?: string | null
  state?: string | null
  status: 't' | 'f'
  miles?: number | null
  answerTime?: number | null
  booked?: number | null
  /** Why an automatic match would skip the clinic. It can be chosen nevertheless. */
  obstacle?: Obstacle | null
}

type Props = {
  providers: PickedProvider[] | undefined
  error?: Error | null
  search: string
  onSearch: (search: string) => void
  chosen: number | undefined
  onChoose: (provider: PickedProvider) => void
}

export function ProviderPicker({ providers, error, search, onSearch, chosen, onChoose }: Props) {
  const hintId = useId()
  const [marked, setMarked] = useState('')
  const figures = useProviderFigures(providers?.map(({ id }) => id) ?? [])
  const choices = providers?.filter(({ status }) => status === 't').map(({ id }) => String(id)) ?? []
  return (
    <Cmdk
      label="Provider"
      shouldFilter={false}
      loop
      // The marked clinic may be missing in a new list; without a fallback, Enter would choose none.
      value={choices.includes(marked) ? marked : (choices[0] ?? '')}
      onValueChange={setMarked}
      className="grid gap-2"
    >
      <Cmdk.Input
        value={search}
        onValueChange={onSearch}
        placeholder="Search by name, practice, city or zip code"
        aria-describedby={hintId}
        className="min-h-11 w-full rounded-lg border border-edge bg-background px-3 text-ink placeholder:text-quiet hover:border-secondary"
      />
      <p id={hintId} className="sr-only">
        Press Enter to choose a provider. Nothing happens until you press the button below.
      </p>
      <Cmdk.List
        label="Providers"
        className="h-72 overflow-y-auto overscroll-contain rounded-lg border border-line p-1"
      >
        {providers && providers.length > 0 && (
          <Cmdk.Group
            heading="Select Provider"
            className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-quiet"
          >
            {providers.map((provider) => (
              <Option
                key={provider.id}
                provider={provider}
                health={figures.get(provider.id)?.health}
                isChosen={provider.id === chosen}
                onChoose={() => onChoose(provider)}
              />
            ))}
          </Cmdk.Group>
        )}
        {providers?.length === 0 && (
          <p className="px-3 py-4 text-sm text-quiet">
            {search ? `No results for “${search}”` : 'There is no active provider.'}
          </p>
        )}
        {!providers && !error && <p className="px-3 py-4 text-sm text-quiet">Loading...</p>}
        {error && <Alert title="Error">{error.message || 'Failed to load providers'}</Alert>}
      </Cmdk.List>
    </Cmdk>
  )
}

type OptionProps = { provider: PickedProvider; health?: DeliveryHealth; isChosen: boolean; onChoose: () => void }

function Option({ provider, health, isChosen, onChoose }: OptionProps) {
  const { id, name, practiceName, zipCode, status, miles, answerTime, booked, obstacle } = provider
  const facts = [
    ...[practiceName, placeOf(provider), miles != null && milesInWords(miles)],
    answerTime != null && `answers in ${formatDuration(answerTime)}`,
    booked != null && `${Math.round(booked * 100)}% booked`,
  ].filter(Boolean)
  return (
    <Cmdk.Item
      value={String(id)}
      onSelect={onChoose}
      disabled={status === 'f'}
      className={`flex min-h-11 items-center gap-2 rounded-lg px-3 py-1.5 text-sm data-[disabled=true]:opacity-60 data-[selected=true]:bg-lilac ${isChosen ? 'font-semibold' : 'cursor-pointer'}`}
    >
      <span aria-hidden="true" className="w-4 shrink-0 text-secondary">
        {isChosen && '✓'}
      </span>
      <span className="grid min-w-0 flex-1 wrap-anywhere">
        <span className="text-ink">
          {name} - {zipCode}
        </span>
        {facts.length > 0 && <span className="font-normal text-quiet">{facts.join(' · ')}</span>}
      </span>
      {isChosen && <span className="sr-only">, chosen</span>}
      {obstacle && <Badge tone="wait">{obstacleWords(obstacle)}</Badge>}
      <HealthDot health={health} />
      {status === 'f' && <Badge tone="bad">Inactive</Badge>}
    </Cmdk.Item>
  )
}

export function placeOf({ city, state }: Pick<PickedProvider, 'city' | 'state'>): string | undefined {
  return city && state ? `${city}, ${state}` : undefined
}

export const practiceOf = ({ practiceName, name }: PickedProvider) => practiceName || name
