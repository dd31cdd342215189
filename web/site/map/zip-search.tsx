import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { ProviderPoint } from '../../../core/contract/provider-points.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { HttpError } from '../../lib/http.ts'
import { queryClient } from '../../lib/query-provider.tsx'
import { fiveDigits, telUrl, websiteUrl } from '../../lib/texts.ts'
import { findZipCode, INACTIVE_WORDS } from '../../shared/map/points.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import type { Origin } from './use-network-map.ts'

/** Shows a search that moves the map to a zip code. */
export function ZipSearch({ onFound }: { onFound: (origin: Origin) => void }) {
  const id = useId()
  const search = useMutation({ mutationFn: findZipCode }, queryClient)
  /** The error of the input; the server's error comes later. */
  const [fault, setFault] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('zip_code') as HTMLInputElement
    const zip = fiveDigits(field.value.trim())
    const found = faultOf(zip)
    setFault(found)
    search.reset()
    if (found) return field.focus()
    search.mutate(zip, {
      onSuccess: ({ zip, city, state, ...place }) =>
        onFound({ ...place, name: city && state ? `${city}, ${state} ${zip}` : zip }),
    })
  }

  const problem = fault ?? (search.error && sentenceOf(search.error))
  return (
    <form onSubmit={submit} noValidate className="w-full max-w-sm">
      <label htmlFor={id} className="block text-sm font-semibold text-ink">
        Zip Code
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id={id}
          name="zip_code"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          className="min-h-11 w-full min-w-0 rounded-lg border border-edge bg-white px-3 text-base text-ink hover:border-secondary aria-invalid:border-bad aria-invalid:bg-bad-soft"
        />
        <Button type="submit" busy={search.isPending}>
          Search
        </Button>
      </div>
      <FieldError id={`${id}-error`} error={problem ?? undefined} />
    </form>
  )
}

function faultOf(zip: string): string | undefined {
  if (zip === '') return 'Enter your zip code'
  return /^\d{5}$/.test(zip) ? undefined : 'Please enter a valid 5-digit zip code'
}

/** Returns the server's message about a zip code, or another sentence if the server failed. */
function sentenceOf(error: Error): string {
  const said = error instanceof HttpError && error.status < 500 ? error.sentence : undefined
  return said ?? 'The search failed. Please try again.'
}

type Near = ProviderPoint & { miles: number }

type Props = {
  /** The providers in view with their distances, nearest first. */
  listed: Near[]
  /** The origin of the distances, if the visitor chose it. */
  from?: string
  /** The loaded providers by id. */
  providers: Map<number, PublicProvider> | undefined
  hasFailed: boolean
  onShow(point: Near): void
}

/** The providers in sight as a list: everything that the map tells, for those who do not use it. */
export function ProviderList({ listed, from, providers, hasFailed, onShow }: Props) {
  if (listed.length === 0) return <p className="p-5 text-quiet">No providers in this part of the map.</p>
  if (hasFailed) return <p className="p-5 text-bad">Failed to fetch providers</p>

  return (
    <ol className="divide-y divide-line">
      {listed.map((point) => {
        const provider = providers?.get(point.id)
        return (
          <li key={point.id} className="px-5 py-4">
            {provider ? <Entry provider={provider} point={point} from={from} onShow={onShow} /> : <Waiting />}
          </li>
        )
      })}
    </ol>
  )
}

type EntryProps = { provider: PublicProvider; point: Near } & Pick<Props, 'from' | 'onShow'>

function Entry({ provider, point, from, onShow }: EntryProps) {
  const { name, practiceName, address, phone, website } = provider
  const isActive = provider.status === 't'
  const link =
    'inline-flex min-h-6 items-center font-semibold text-secondary underline underline-offset-4 hover:text-primary'
  return (
    <>
      <h3 className="font-semibold text-ink">{practiceName ?? name}</h3>
      {practiceName && <p>{name}</p>}
      {!isActive && (
        <p className="my-1">
          <Badge>{INACTIVE_WORDS}</Badge>
        </p>
      )}
      {address && <p className="text-quiet">{address}</p>}
      {from && (
        <p className="text-quiet">
          {milesText(point.miles)} from {from}
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-5 text-sm">
        {isActive && phone && (
          <a href={telUrl(phone)} className={link}>
            {phone}
          </a>
        )}
        {isActive && website && (
          <a href={websiteUrl(website)} target="_blank" rel="noreferrer" className={link}>
            Visit Website
          </a>
        )}
        <button type="button" onClick={() => onShow(point)} className={link}>
          Show on map
          <span className="sr-only">: {practiceName ?? name}</span>
        </button>
      </p>
    </>
  )
}

function Waiting() {
  return (
    <div className="grid gap-2">
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="h-4 w-4/5" />
    </div>
  )
}

function milesText(miles: number): string {
  return miles < 10 ? `${miles.toFixed(1)} miles` : `${Math.round(miles).toLocaleString('en-US')} miles`
}
