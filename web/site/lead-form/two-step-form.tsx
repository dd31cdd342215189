import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { usePlainForm } from '../../lib/use-hydrated.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { PostForm, SubmitButton } from '../../shared/forms/post-form.tsx'
import { ZipCodeField } from '../../shared/forms/zip-code-field.tsx'
import { Button } from '../../ui/button.tsx'
import { ConsentField, FIELDS, PersonFields, Reassurance, ZipField } from './lead-form-fields.tsx'
import type { LeadFormLogic } from './use-lead-form.ts'
import { type TwoSteps, useZipStep } from './use-zip-step.ts'

/** Shows a lead form in two steps: first the zip code, then the contact details. */
export function TwoStepForm({ lead, steps }: { lead: LeadFormLogic; steps: TwoSteps }) {
  const zipStep = useZipStep({ lead, ...steps.zip })
  const card = useFocusOnChange(zipStep.step)
  const { title, text } = zipStep.step === 1 ? steps.zip : steps.person
  const Heading = steps.heading

  return (
    <section
      ref={card}
      id={PROVIDER_FORM}
      tabIndex={-1}
      data-first-field="always"
      aria-labelledby="step-heading"
      className="rounded-2xl bg-white px-5 pt-6 pb-6 text-foreground shadow-2xl shadow-night/25 sm:px-8 sm:pt-7 sm:pb-8"
    >
      <StepProgress step={zipStep.step} />
      <Heading
        id="step-heading"
        tabIndex={-1}
        className="mt-5 font-display text-3xl leading-tight font-medium text-ink"
      >
        {title}
      </Heading>
      <p className="mt-1 mb-5 text-quiet">{text}</p>
      {zipStep.step === 1 ? (
        <ZipForm steps={steps} zipStep={zipStep} lead={lead} />
      ) : (
        <PersonStep lead={lead} steps={steps}>
          {zipStep.asksAgain ? <ZipField lead={lead} /> : <ChosenZip zip={zipStep.zip} answer={zipStep.answer} />}
        </PersonStep>
      )}
    </section>
  )
}

function PersonStep({ lead, steps, children }: { lead: LeadFormLogic; steps: TwoSteps; children: ReactNode }) {
  const { button, busyButton } = steps.person
  return (
    <PostForm label="Lead form" logic={lead}>
      {children}
      <div className={`${FIELDS} *:last:col-span-full`}>
        <PersonFields lead={lead} />
      </div>
      <ConsentField lead={lead} />
      <SubmitButton label={button} busyLabel={busyButton} logic={lead} />
      <Reassurance />
    </PostForm>
  )
}

/** Shows the zip code of the first step and what it comes to, with a link back to it. */
function ChosenZip({ zip, answer }: { zip: string; answer: string }) {
  const [query] = useSearchParams()
  const others = new URLSearchParams(query)
  others.delete('zip_code')

  return (
    <div className="mb-4 rounded-lg bg-mist px-4 py-2">
      <p className="flex flex-wrap items-center justify-between gap-x-4">
        <span className="min-w-0 wrap-anywhere">
          Zip code <strong className="font-semibold text-ink">{zip}</strong>
        </span>
        <input type="hidden" name="zip_code" value={zip} />
        <Link
          to={{ search: others.toString() }}
          className="inline-flex min-h-8 items-center font-semibold text-secondary underline underline-offset-4 hover:text-primary"
        >
          Change zip code
        </Link>
      </p>
      <p role="status" className="min-h-5 text-sm leading-snug font-medium text-ink">
        {answer}
      </p>
    </div>
  )
}

/** Moves the focus to the heading of a new step, or to the error in it. */
function useFocusOnChange(step: number) {
  const card = useRef<HTMLElement>(null)
  const shown = useRef(step)

  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    const target =
      card.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? card.current?.querySelector('#step-heading')
    if (target instanceof HTMLElement) target.focus()
  }, [step])

  return card
}

const STEPS = [1, 2]

/** Shows the progress of a two-step form as marks on a scale. */
function StepProgress({ step }: { step: number }) {
  return (
    <div className="flex items-center gap-4">
      <p className="text-sm font-semibold whitespace-nowrap text-secondary">Step {step} of 2</p>
      <span aria-hidden="true" className="grid grow grid-cols-2 gap-1.5">
        {STEPS.map((each) => (
          <span key={each} className={`h-1 rounded-full ${each <= step ? 'bg-accent' : 'bg-line'}`} />
        ))}
      </span>
    </div>
  )
}

type ZipFormProps = { steps: TwoSteps; zipStep: ReturnType<typeof useZipStep>; lead: LeadFormLogic }

/** Shows the first step. Without JavaScript it is a GET form that leads to this page with the zip code in its query. */
function ZipForm({ steps: { path, zip }, zipStep, lead }: ZipFormProps) {
  const plainForm = usePlainForm()
  const field = useRef<HTMLInputElement>(null)
  const { zip: known, type } = zipStep

  // Text typed before hydration has caused no change event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at first
  useEffect(() => {
    const early = field.current?.value ?? ''
    if (early !== known) type(early)
  }, [])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const isTaken = await zipStep.next(field.current?.value ?? '')
    if (!isTaken) field.current?.focus()
  }

  return (
    <form
      method="get"
      action={path}
      onSubmit={submit}
      {...plainForm}
      aria-labelledby="step-heading"
      className="compact"
    >
      <ChosenProvider />
      <ZipCodeField
        ref={field}
        name="zip_code"
        label={zip.label}
        required
        defaultValue={zipStep.zip}
        error={zipStep.problem}
        answer={zipStep.answer}
        // Room for two lines.
        className="min-h-27"
        onChange={(event) => zipStep.type(event.target.value)}
        onPasteZip={zipStep.type}
      />
      <Button type="submit" size="large" busy={zipStep.isChecking} disabled={lead.isSubmitting} className="mt-1 w-full">
        {zip.button}
      </Button>
      <p role="status" className="sr-only">
        {zipStep.isChecking && 'Checking your zip code...'}
      </p>
      <Reassurance />
    </form>
  )
}

/**
 * Keeps the provider in the address, because a GET form replaces the whole query. It must not keep other parameters:
 * the server renders this page once for all of them, so hydration would find different HTML.
 */
function ChosenProvider() {
  const [query] = useSearchParams()
  const id = query.get('providerId')
  return id !== null && <input type="hidden" name="providerId" value={id} />
}
