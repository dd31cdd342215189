import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { PostForm } from '../../shared/forms/post-form.tsx'
import { Button } from '../../ui/button.tsx'
import { ConsentField, PersonFields, ZipField } from './lead-form-fields.tsx'
import { StepProgress } from './step-progress.tsx'
import type { TwoSteps } from './two-steps.ts'
import type { LeadFormLogic } from './use-lead-form.ts'
import { useZipStep } from './use-zip-step.ts'
import { ZipForm } from './zip-form.tsx'

/** A lead form in two steps: first the zip code, then the person. */
export function TwoStepForm({ lead, steps }: { lead: LeadFormLogic; steps: TwoSteps }) {
  const zipStep = useZipStep({ lead, ...steps.zip })
  const card = useFocusOnChange(zipStep.step)
  const { title, text } = zipStep.step === 1 ? steps.zip : steps.person
  const Heading = steps.heading

  return (
    <section
      ref={card}
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
        <ZipForm steps={steps} zipStep={zipStep} isDisabled={lead.isSubmitting} />
      ) : (
        <PersonStep lead={lead} steps={steps}>
          {zipStep.asksAgain ? <ZipField lead={lead} /> : <ChosenZip zip={zipStep.zip} place={zipStep.place} />}
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
      <div className="grid gap-x-4 sm:grid-cols-2">
        <PersonFields lead={lead} phoneClass="sm:col-span-2" />
      </div>
      <ConsentField lead={lead} />
      <Button type="submit" size="large" busy={lead.isSubmitting} className="mt-1 w-full">
        {lead.isSubmitting ? busyButton : button}
      </Button>
    </PostForm>
  )
}

/** The zip code of the first step, and the way back to it. */
function ChosenZip({ zip, place }: { zip: string; place?: string }) {
  const [query] = useSearchParams()
  const others = new URLSearchParams(query)
  others.delete('zip_code')

  return (
    <p className="mb-5 flex flex-wrap items-center justify-between gap-x-4 rounded-lg bg-mist px-4 py-2">
      <span className="min-w-0 wrap-anywhere">
        Zip code <strong className="font-semibold text-ink">{zip}</strong> {place}
      </span>
      <input type="hidden" name="zip_code" value={zip} />
      <Link
        to={{ search: others.toString() }}
        className="inline-flex min-h-8 items-center font-semibold text-secondary underline underline-offset-4 hover:text-primary"
      >
        Change zip code
      </Link>
    </p>
  )
}

/** Moves the keyboard to the heading of a step that has just appeared, or to what is wrong in it. */
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
