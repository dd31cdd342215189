import { ApplicationForm as Application, createApplication } from '../../../core/applications/contract/applications.ts'
import { CONSENT } from '../../../core/contract/consent.ts'
import { call, urlOf } from '../../lib/call.ts'
import { PhoneField, ZipCodeField } from '../../shared/forms/fields.tsx'
import { ConsentField, PostForm, SubmitButton } from '../../shared/forms/post-form.tsx'
import { type SignsOfLife, usePostForm } from '../../shared/forms/use-post-form.ts'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { createIdempotencyKeys } from '../kept-input.ts'
import { PrivacyLine } from '../privacy-line.tsx'

export function ApplicationForm({ onSent }: { onSent: () => void }) {
  const { form, bind, errorAt, ...logic } = useApplicationForm(onSent)

  return (
    <PostForm label="Provider application" logic={logic}>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <TextField label="Name" autoComplete="name" required {...bind('name')} />
        <TextField label="Practice Name" autoComplete="organization" required {...bind('practice_name')} />
        <TextField label="Email" type="email" autoComplete="email" required {...bind('email')} />
        <PhoneField required {...bind('phone')} />
        <ZipCodeField required {...bind('zip_code')} />
        {/* Not type=url: that would insist on the scheme. */}
        <TextField label="Website (optional)" inputMode="url" autoComplete="url" {...bind('website')} />
        <TextAreaField label="Message (optional)" rows={4} className="sm:col-span-2" {...bind('message')} />
      </div>
      <ConsentField logic={{ ...logic, form, errorAt }} />
      <SubmitButton label="Submit Your Application" busyLabel="Wait! Submitting..." logic={logic} />
      <PrivacyLine>
        Private: only our network team and the services that run this site for us see this. Never sold.
      </PrivacyLine>
    </PostForm>
  )
}

const FIELD_NAMES = [
  'name',
  'practice_name',
  'email',
  'phone',
  'zip_code',
  'website',
  'message',
  'acceptance_consent',
] as const

const idempotencyKeyOf = createIdempotencyKeys()

function useApplicationForm(onSent: () => void) {
  const consent = CONSENT.application

  function send(values: Application, signs: SignsOfLife) {
    const application = { ...values, acceptance_message: consent.wording, consent_version: consent.version }
    const idempotencyKey = idempotencyKeyOf(application)
    return call(createApplication, { body: { ...application, ...signs }, idempotencyKey })
  }

  return usePostForm({
    schema: Application,
    names: FIELD_NAMES,
    action: urlOf(createApplication),
    consent,
    send,
    onSuccess: onSent,
  })
}
