import { type FormEvent, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { usePlainForm } from '../../lib/use-plain-form.ts'
import { ZipCodeField } from '../../shared/forms/zip-code-field.tsx'
import { Button } from '../../ui/button.tsx'
import type { TwoSteps } from './two-steps.ts'
import type { useZipStep } from './use-zip-step.ts'

type Props = { steps: TwoSteps; zipStep: ReturnType<typeof useZipStep>; isDisabled: boolean }

/** The first step. Without JavaScript it is a search form, which leads to this page with the zip code in its address. */
export function ZipForm({ steps: { path, zip }, zipStep, isDisabled }: Props) {
  const plainForm = usePlainForm()
  const field = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const isTaken = await zipStep.next(field.current?.value ?? '')
    if (!isTaken) field.current?.focus()
  }

  return (
    <form method="get" action={path} onSubmit={submit} {...plainForm} aria-labelledby="step-heading">
      <ChosenProvider />
      <ZipCodeField
        ref={field}
        name="zip_code"
        label={zip.label}
        required
        defaultValue={zipStep.zip}
        error={zipStep.problem}
        onChange={(event) => zipStep.type(event.target.value)}
        onPasteZip={zipStep.type}
      />
      {/* In the row that the field keeps free for its error. */}
      <p role="status" className="-mt-7.5 mb-2 min-h-5.5 pt-1 text-[0.8125rem] leading-snug text-quiet">
        {!zipStep.problem && zipStep.place}
      </p>
      <Button type="submit" size="large" busy={zipStep.isChecking} disabled={isDisabled} className="mt-1 w-full">
        {zip.button}
      </Button>
    </form>
  )
}

/**
 * Keeps the provider in the address, because a search form replaces the whole query. Other parameters must not be here:
 * the server renders this page once for all of them, and React would find another HTML than its own.
 */
function ChosenProvider() {
  const [query] = useSearchParams()
  const id = query.get('providerId')
  return id !== null && <input type="hidden" name="providerId" value={id} />
}
