import type { FormEvent } from 'react'
import { useId } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'

/** Asks for the zip code at the top of a page on a phone, and leads to the second step of the quiz with it. */
export function ZipStart() {
  const id = useId()
  const navigate = useNavigate()

  // Without it the browser sends the same query, and forgets what was typed into the other form of the page.
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const zip = String(new FormData(event.currentTarget).get('zip_code')).trim()
    navigate({ pathname: paths.start, search: `?${new URLSearchParams({ zip_code: zip })}` })
  }

  return (
    <form method="get" action={paths.start} onSubmit={submit} className="mt-5 max-w-md lg:hidden print:hidden">
      <label htmlFor={id} className="block text-sm font-semibold">
        Is a clinic near you? Your zip code
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id={id}
          name="zip_code"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={5}
          required
          className="min-h-11 w-full min-w-0 rounded-lg border border-edge bg-background px-3 text-base text-ink"
        />
        <button type="submit" className={`${buttonClass({ variant: 'outline' })} shrink-0`}>
          Check my area
        </button>
      </div>
    </form>
  )
}
