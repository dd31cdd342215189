import { type FormEvent, useId } from 'react'
import { useLocation } from 'react-router-dom'
import { APPLICATIONS_PATH, CARRY_FIELD } from '../../../core/contract/page.ts'
import { scrollToAnchor } from '../../lib/in-page-links.ts'
import { usePlainForm } from '../../lib/use-hydrated.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { ZipCodeField } from '../../shared/forms/zip-code-field.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { carryFields } from './carried-fields.ts'

/**
 * Shows the first three fields of the application right after the hero, and carries them to the whole form. Until its script has
 * come the browser posts them, which keeps them out of the address, and gets the page with the whole form filled in.
 */
export function ShortForm() {
  const headingId = useId()
  const { pathname, search } = useLocation()

  function carry(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const typed = (name: string) => String(form.get(name) ?? '').trim()
    scrollToAnchor(PROVIDER_FORM)
    carryFields({ name: typed('name'), email: typed('email'), zip_code: typed('zip_code') })
  }

  return (
    <div className="border-b border-line bg-white">
      <form
        {...usePlainForm()}
        method="post"
        action={APPLICATIONS_PATH}
        onSubmit={carry}
        aria-labelledby={headingId}
        className="mx-auto max-w-6xl px-4 py-10 sm:px-6"
      >
        <h2 id={headingId} className="font-display text-2xl leading-tight text-ink">
          Begin your application
        </h2>
        <p className="mt-1.5 mb-5">
          Three fields now, the rest in the form below. Nothing is sent before you send that.
        </p>
        <input type="hidden" name={CARRY_FIELD} />
        <input type="hidden" name="page" value={pathname + search} />
        <div className="grid items-start gap-x-4 md:grid-cols-[1fr_1fr_9rem_auto]">
          <TextField label="Your Name" name="name" autoComplete="name" />
          <TextField label="Your Email" name="email" type="email" autoComplete="email" />
          <ZipCodeField label="Practice Zip Code" name="zip_code" />
          <Button type="submit" className="w-full md:mt-6">
            Continue
          </Button>
        </div>
      </form>
    </div>
  )
}
