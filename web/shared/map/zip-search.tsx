import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { HttpError } from '../../lib/http.ts'
import { queryClient } from '../../lib/query-client.ts'
import { fiveDigits } from '../../lib/zip-code.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { findZipCode } from './points.ts'
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
