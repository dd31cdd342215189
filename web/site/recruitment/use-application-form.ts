import { ApplicationForm, createApplication } from '../../../core/contract/applications.ts'
import { CONSENT } from '../../../core/contract/consent.ts'
import { call, urlOf } from '../../lib/call.ts'
import { createIdempotencyKeys } from '../../lib/idempotency.ts'
import type { SignsOfLife } from '../../lib/signs-of-life.ts'
import { usePostForm } from '../../shared/forms/use-post-form.ts'

/** The fields from top to bottom. */
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

/** Returns the logic of the application form, from the fields to the receipt. */
export function useApplicationForm(onSent: () => void) {
  const consent = CONSENT.application

  function send(values: ApplicationForm, signs: SignsOfLife) {
    const application = { ...values, acceptance_message: consent.wording, consent_version: consent.version }
    const idempotencyKey = idempotencyKeyOf(application)
    return call(createApplication, { body: { ...application, ...signs }, idempotencyKey })
  }

  return usePostForm({
    schema: ApplicationForm,
    names: FIELD_NAMES,
    action: urlOf(createApplication),
    consent,
    send,
    onSuccess: onSent,
  })
}
