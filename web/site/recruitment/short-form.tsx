import { type FormEvent, useId } from 'react'
import { scrollToAnchor } from '../../lib/in-page-links.ts'
import { usePlainForm } from '../../lib/use-hydrated.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { ZipCodeField } from '../../shared/forms/zip-code-field.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { carryFields } from './carried-fields.ts'

/**
 * Shows the first three fields of the application right after the hero, and carries them to the whole form. Its fields have no
 * names, so that a browser that submits it natively goes to the whole form and puts no name into the address.
 */
export function ShortForm() {
  const headingId = useId()

  function carry(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const [name = '', email = '', zip_code = ''] = [...event.currentTarget.querySelectorAll('input')].map(({ value }) =>
      value.trim(),
    )
    scrollToAnchor(PROVIDER_FORM)
    carryFields({ name, email, zip_code })
  }

  return (
    <div className="border-b border-line bg-white noscript:hidden">
      <form
        {...usePlainForm()}
        action={`#${PROVIDER_FORM}`}
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
        <div className="grid items-start gap-x-4 md:grid-cols-[1fr_1fr_9rem_auto]">
          <TextField label="Your Name" autoComplete="name" />
          <TextField label="Your Email" type="email" autoComplete="email" />
          <ZipCodeField label="Practice Zip Code" />
          <Button type="submit" className="w-full md:mt-6">
            Continue
          </Button>
        </div>
      </form>
    </div>
  )
}
