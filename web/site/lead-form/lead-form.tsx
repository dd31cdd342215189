import { useWatch } from 'react-hook-form'
import { countOf } from '../../lib/numbers.ts'
import { usePageData } from '../../lib/page-data.ts'
import { PhoneField, ZipCodeField } from '../../shared/forms/fields.tsx'
import { ConsentField, PostForm, SubmitButton } from '../../shared/forms/post-form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PrivacyLine } from '../privacy-line.tsx'
import { type LeadFormLogic, useLeadForm } from './use-lead-form.ts'
import { useZipReach } from './use-zip-step.ts'
import { UNKNOWN_ZIP, ZipAnswer } from './zip-answer.tsx'

export function LeadForm({ providerId }: { providerId?: number }) {
  const lead = useLeadForm({ providerId })
  const reach = useReach(lead)
  const label = providerId === undefined ? 'Get Started Now!' : 'Learn More!'

  return (
    <PostForm label="Lead form" logic={lead}>
      <div className={FIELDS}>
        <PersonFields lead={lead} />
        <ZipField lead={lead} />
      </div>
      <ConsentField logic={lead} />
      {providerId !== undefined && (
        <p className="mb-2 text-center text-sm">Click to find out if you qualify for treatment.</p>
      )}
      <SubmitButton label={label} busyLabel="Wait! Submitting..." logic={lead} />
      <Reassurance hasNobody={providerId === undefined && reach?.inReach === false} />
    </PostForm>
  )
}

type Props = { lead: LeadFormLogic }

/** The grid of the fields. Names stand side by side from 360 px. */
export const FIELDS = 'grid gap-x-3 min-[22.5rem]:grid-cols-2 sm:gap-x-4'

// The first invalid field in the order of registration gets the focus, so each group registers its fields from top to
// bottom.
export function PersonFields({ lead }: Props) {
  return (
    <>
      <TextField label="First Name" autoComplete="given-name" required {...lead.bind('first_name')} />
      <TextField label="Last Name" autoComplete="family-name" required {...lead.bind('last_name')} />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        className="min-[22.5rem]:col-span-2"
        required
        {...lead.bind('email')}
      />
      <PhoneField className="min-[22.5rem]:max-sm:col-span-2" required {...lead.bind('phone')} />
    </>
  )
}

/** Returns what the zip code in the form comes to. */
function useReach({ form, providerId }: LeadFormLogic) {
  return useZipReach(useWatch({ control: form.control, name: 'zip_code' }), providerId)
}

/** Shows the zip code, and its answer in a place that is kept free: nothing may move under the finger that goes for the next field. */
export function ZipField({ lead }: Props) {
  const { bind, providerId } = lead
  const reach = useReach(lead)
  const { error = reach === null ? UNKNOWN_ZIP : undefined, ...field } = bind('zip_code')
  const isOfClinic = providerId !== undefined
  return (
    <>
      <ZipCodeField className="min-[22.5rem]:max-sm:col-span-2" required {...field} error={error} />
      <ZipAnswer
        {...{ reach, isOfClinic, isSmall: true }}
        className={`mb-2 min-[22.5rem]:col-span-2 ${isOfClinic ? 'min-h-16' : 'min-h-26 lg:min-h-20'}`}
      />
    </>
  )
}

/** Says below the button of a lead form where its details go. @param hasNobody whether no clinic is in reach of the zip code */
export function Reassurance({ hasNobody = false }) {
  const { network } = usePageData()

  return (
    <>
      <PrivacyLine>
        {hasNobody
          ? 'Private: until there’s a clinic for you, only our care team and the services that run this site for us see this.'
          : 'Private: we share it with the clinic, and with the services that run this site for us. We ask the clinic to call within one business day.'}{' '}
        Never sold. You must be 18 or older.
      </PrivacyLine>
      {network && network.clinics > 0 && (
        <p className="mt-2 pl-7 text-sm leading-snug font-medium text-ink">
          {`${countOf(network.clinics, 'certified clinic')} in ${countOf(network.states, 'state')}`}
        </p>
      )}
    </>
  )
}
