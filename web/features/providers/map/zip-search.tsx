import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { HttpError } from '../../../lib/http.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { fiveDigits } from '../../../lib/zip-code.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { findZipCode } from './points.ts'
import type { Origin } from './use-network-map.ts'

/** Takes the map to a zip code. */
export function ZipSearch({ onFound }: { onFound: (origin: Origin) => void }) {
  const id = useId()
  const search = useMutation({ mutationFn: findZipCode }, queryClient)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const zip = fiveDigits(String(new FormData(event.currentTarget).get('zip_code') ?? ''))
    search.mutate(zip, {
      onSuccess: ({ zip, city, state, ...place }) =>
        onFound({ ...place, name: city && state ? `${city}, ${state} ${zip}` : zip }),
    })
  }

  const problem = search.error && sentenceOf(search.error)
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

function sentenceOf(error: Error): string {
  return (error instanceof HttpError && error.sentence) || 'The search did not work. Please try again.'
}
