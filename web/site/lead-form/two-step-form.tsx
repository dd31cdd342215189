import { type FormEvent, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { CONSENT } from '../../../core/contract/consent.ts'
import { ZipCode } from '../../../core/contract/forms.ts'
import { HttpError } from '../../lib/http.ts'
import { useClinicOfPage, useProviderIdOfPage } from '../../lib/page-data.ts'
import { usePlainForm } from '../../lib/use-hydrated.ts'
import { PROVIDER_FORM, paths } from '../../pages.ts'
import { ZipCodeField } from '../../shared/forms/fields.tsx'
import { ConsentField, PostForm, SubmitButton } from '../../shared/forms/post-form.tsx'
import { isAboutFields } from '../../shared/forms/use-post-form.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { FIELDS, PersonFields, Reassurance, ZipField } from './lead-form.tsx'
import { type LeadFormLogic, useLeadForm } from './use-lead-form.ts'
import { useZipStep, type ZipTexts } from './use-zip-step.ts'
import { type Reach, ZipAnswer } from './zip-answer.tsx'

/** The differences between the two forms that ask for the zip code first. */
type TwoSteps = {
  path: string
  heading: 'h1' | 'h2'
  zip: ZipTexts & { title: string; text: string; label: string }
  person: { title: string; text: string; button: string; busyButton: string }
}

const QUIZ: TwoSteps = {
  path: paths.start,
  heading: 'h1',
  zip: {
    title: 'Is there a provider near you?',
    text: 'Your zip code is enough to start.',
    label: 'Zip Code',
    button: 'Continue',
    refuse: (zip) =>
      ZipCode.safeParse(zip).success
        ? undefined
        : { title: 'Invalid Zip Code', message: 'Please enter a valid 5-digit zip code' },
    asksAboutUnknown: true,
  },
  person: {
    title: 'Tell us about you',
    text: 'So the clinic can reach you.',
    button: 'Continue',
    busyButton: 'Wait! Submitting...',
  },
}

export function Quiz() {
  const lead = useLeadForm({ providerId: useProviderIdOfPage(), saysConsent: true })
  return <TwoStepForm lead={lead} steps={QUIZ} />
}

const FINDER: TwoSteps = {
  path: paths.findProvider,
  heading: 'h2',
  zip: {
    title: 'Where Are You Located?',
    text: 'We look for the certified provider nearest to you.',
    label: 'ZIP Code',
    button: 'Find Providers',
    refuse: (zip) =>
      zip === '' ? { title: 'ZIP Code Required', message: 'Please enter your ZIP code to continue.' } : undefined,
  },
  person: {
    title: 'Complete Your Information',
    text: 'So the provider can reach you.',
    button: 'Find My Provider',
    busyButton: 'Submitting...',
  },
}

export function ProviderFinder() {
  const lead = useLeadForm({
    providerId: useProviderIdOfPage(),
    consent: CONSENT.finder,
    saysConsent: true,
    onSuccess: () => toast({ title: 'Success!', description: "We've received your information." }),
    onFailure(error) {
      console.error(error)
      toast({
        variant: 'destructive',
        title: 'Something went wrong',
        description: (error instanceof HttpError && error.sentence) || 'Please try again later.',
        isAlsoSaid: !isAboutFields(error),
      })
    },
  })
  return <TwoStepForm lead={lead} steps={FINDER} />
}

function TwoStepForm({ lead, steps }: { lead: LeadFormLogic; steps: TwoSteps }) {
  const clinic = useClinicOfPage()
  const zipStep = useZipStep(lead, steps.zip)
  const card = useFocusOnChange(zipStep.step)
  const { title, text } = zipStep.step === 1 ? steps.zip : steps.person
  const Heading = steps.heading
  const isOfClinic = lead.providerId !== undefined
  const hasNobody = zipStep.step === 2 && !isOfClinic && zipStep.reach?.inReach === false
  const words = hasNobody ? 'So we can tell you when a clinic opens near you.' : text

  return (
    <section
      ref={card}
      id={PROVIDER_FORM}
      tabIndex={-1}
      data-first-field="always"
      aria-labelledby="step-heading"
      className="rounded-2xl bg-white px-5 pt-6 pb-6 text-foreground shadow-2xl shadow-night/25 sm:px-8 sm:pt-7 sm:pb-8"
    >
      <div className="flex items-center gap-4">
        <p className="text-sm font-semibold whitespace-nowrap text-secondary">Step {zipStep.step} of 2</p>
        <span aria-hidden="true" className="grid grow grid-cols-2 gap-1.5">
          {STEPS.map((each) => (
            <span key={each} className={`h-1 rounded-full ${each <= zipStep.step ? 'bg-accent' : 'bg-line'}`} />
          ))}
        </span>
      </div>
      <Heading
        id="step-heading"
        tabIndex={-1}
        className="mt-5 font-display text-3xl leading-tight font-medium text-ink"
      >
        {title}
      </Heading>
      <p className="mt-1 mb-5 text-quiet">
        {clinic && zipStep.step === 1 ? `Your request goes to ${clinic.name}.` : words}
      </p>
      {zipStep.step === 1 ? (
        <ZipForm steps={steps} zipStep={zipStep} lead={lead} />
      ) : (
        <PostForm label="Lead form" logic={lead}>
          {zipStep.asksAgain ? (
            <ZipField lead={lead} />
          ) : (
            <ChosenZip zip={zipStep.zip} reach={zipStep.reach} isOfClinic={isOfClinic} />
          )}
          <div className={`${FIELDS} *:last:col-span-full`}>
            <PersonFields lead={lead} />
          </div>
          <ConsentField logic={lead} />
          <SubmitButton label={steps.person.button} busyLabel={steps.person.busyButton} logic={lead} />
          <Reassurance hasNobody={hasNobody} />
        </PostForm>
      )}
    </section>
  )
}

function ChosenZip({ zip, reach, isOfClinic }: { zip: string; reach: Reach; isOfClinic: boolean }) {
  const [query] = useSearchParams()
  const others = new URLSearchParams(query)
  others.delete('zip_code')

  return (
    <ZipAnswer {...{ reach, isOfClinic }} className="mb-4 min-h-32">
      <p className="text-sm wrap-anywhere">
        Zip code <strong className="font-semibold text-ink">{zip}</strong>
        <input type="hidden" name="zip_code" value={zip} />
        {' · '}
        <Link
          to={{ search: others.toString() }}
          className="inline-flex min-h-8 items-center font-semibold text-secondary underline underline-offset-4 hover:text-primary"
        >
          Change<span className="sr-only"> zip code</span>
        </Link>
      </p>
    </ZipAnswer>
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

type ZipFormProps = { steps: TwoSteps; zipStep: ReturnType<typeof useZipStep>; lead: LeadFormLogic }

/** Shows the first step. Without JavaScript it is a GET form that leads to this page with the zip code in its query. */
function ZipForm({ steps: { path, zip }, zipStep, lead }: ZipFormProps) {
  const plainForm = usePlainForm()
  const [query] = useSearchParams()
  const providerId = query.get('providerId')
  const { zip: known, type, field } = zipStep

  // Text typed before hydration has caused no change event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at first
  useEffect(() => {
    const early = field.current?.value ?? ''
    if (early !== known) type(early)
  }, [])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    zipStep.next()
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
      {/* A GET form replaces the whole query, and the server renders this page once for all other parameters. */}
      {providerId !== null && <input type="hidden" name="providerId" value={providerId} />}
      <ZipCodeField
        ref={field}
        name="zip_code"
        label={zip.label}
        required
        defaultValue={zipStep.zip}
        error={zipStep.problem}
        onChange={(event) => zipStep.type(event.target.value)}
      />
      <ZipAnswer reach={zipStep.reach} isOfClinic={lead.providerId !== undefined} className="min-h-26" />
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
