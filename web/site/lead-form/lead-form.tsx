import { PostForm, SubmitButton } from '../../shared/forms/post-form.tsx'
import { ConsentField, FIELDS, PersonFields, Reassurance, ZipField } from './lead-form-fields.tsx'
import { useLeadForm } from './use-lead-form.ts'

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
      <ConsentField lead={lead} />
      {providerId !== undefined && (
        <p className="mb-2 text-center text-sm">Click to find out if you qualify for treatment.</p>
      )}
      <SubmitButton label={label} busyLabel="Wait! Submitting..." logic={lead} />
      <Reassurance />
    </PostForm>
  )
}
