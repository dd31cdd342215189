import { ZipCode } from '../../../core/contract/forms.ts'
import { useClinicOfPage, useProviderIdOfPage } from '../../lib/page-data.ts'
import { paths } from '../../paths.ts'
import { TwoStepForm } from './two-step-form.tsx'
import { tellConsent, useLeadForm } from './use-lead-form.ts'
import { stepsFor, type TwoSteps } from './use-zip-step.ts'

const STEPS: TwoSteps = {
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
    text: 'So that the clinic can reach you.',
    button: 'Continue',
    busyButton: 'Wait! Submitting...',
  },
}

/** Shows the quiz, a lead form of two short steps. */
export function Quiz() {
  const providerId = useProviderIdOfPage()
  const clinic = useClinicOfPage()
  const lead = useLeadForm({ providerId, onInvalid: tellConsent })

  return <TwoStepForm lead={lead} steps={stepsFor(clinic, STEPS)} />
}
