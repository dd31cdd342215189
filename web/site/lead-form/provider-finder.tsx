import { CONSENT } from '../../../core/contract/consent.ts'
import { HttpError } from '../../lib/http.ts'
import { useClinicOfPage, useProviderIdOfPage } from '../../lib/page-data.ts'
import { paths } from '../../paths.ts'
import { isAboutFields } from '../../shared/forms/use-post-form.ts'
import { toast } from '../../ui/toast.ts'
import { TwoStepForm } from './two-step-form.tsx'
import { tellConsent, useLeadForm } from './use-lead-form.ts'
import { stepsFor, type TwoSteps } from './use-zip-step.ts'

const STEPS: TwoSteps = {
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
    text: 'So that the provider can reach you.',
    button: 'Find My Provider',
    busyButton: 'Submitting...',
  },
}

/** Shows the search for a provider. */
export function ProviderFinder() {
  const providerId = useProviderIdOfPage()
  const clinic = useClinicOfPage()
  const lead = useLeadForm({
    providerId,
    consent: CONSENT.finder,
    onInvalid: tellConsent,
    onSuccess: () => toast({ title: 'Success!', description: "We've received your information." }),
    onFailure: tellFailure,
  })

  return <TwoStepForm lead={lead} steps={stepsFor(clinic, STEPS)} />
}

function tellFailure(error: Error): void {
  console.error(error)
  toast({
    variant: 'destructive',
    title: 'Something went wrong',
    description: (error instanceof HttpError && error.sentence) || 'Please try again later.',
    isAlsoSaid: !isAboutFields(error),
  })
}
