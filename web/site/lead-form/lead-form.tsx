import { useWatch } from 'react-hook-form'
import { countOf } from '../../lib/numbers.ts'
import { usePageData } from '../../lib/page-data.ts'
import { PhoneField, ZipCodeField } from '../../shared/forms/fields.tsx'
import { ConsentField, PostForm, SubmitButton } from '../../shared/forms/post-form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PrivacyLine } from '../privacy-line.tsx'
import { type LeadFormLogic, useLeadForm } from './use-lead-form.ts'
import { useZipAnswer } from './use-zip-step.ts'

/** Room for the longest answer to a zip code: nothing may move under the finger that goes for the next field. */
const LONG_ANSWER = 'min-h-27 lg:min-h-32'
const SHORT_ANSWER = 'sm:min-h-27'

export function LeadForm({ providerId }: { providerId?: number }) {
  const lead = useLeadForm({ providerId })
  const label = providerId === undefined ? 'Get Started Now!' : 'Learn More!'

  return (
    <PostForm label="Lead form" logic={lead}>
      <div className={FIELDS}>
        <PersonFields lead={lead} />
        <ZipField
          lead={lead}
          className={`min-[22.5rem]:max-sm:col-span-2 ${providerId === undefined ? LONG_ANSWER : SHORT_ANSWER}`}
        />
      </div>
      <ConsentField logic={lead} />
      {providerId !== undefined && (
        <p className="mb-2 text-center text-sm">Click to find out if you qualify for treatment.</p>
      )}
      <SubmitButton label={label} busyLabel="Wait! Submitting..." logic={lead} />
      <Reassurance />
    </PostForm>
  )
}

type Props = { lead: LeadFormLogic; className?: string }

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

export function ZipField({ lead: { form, bind, providerId }, className }: Props) {
  const zip = useWatch({ control: form.control, name: 'zip_code' })
  return <ZipCodeField className={className} answer={useZipAnswer(zip, providerId)} required {...bind('zip_code')} />
}

/** Says below the button of a lead form where its details go. It is true in every case, also where no clinic is in reach. */
export function Reassurance() {
  const { network } = usePageData()

  return (
    <>
      <PrivacyLine>
        Private: we share it with the clinic, and with the services that run this site for us. Never sold. We ask the
        clinic to call within one business day. You must be 18 or older.
      </PrivacyLine>
      {network && network.clinics > 0 && (
        <p className="mt-2 pl-7 text-sm leading-snug font-medium text-ink">
          {`${countOf(network.clinics, 'certified clinic')} in ${countOf(network.states, 'state')}`}
        </p>
      )}
    </>
  )
}
