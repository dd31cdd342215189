import type { FieldErrors } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { CONSENT, type ConsentText } from '../../../core/contract/consent.ts'
import { createLead, LeadForm, type LeadReceipt } from '../../../core/contract/leads.ts'
import { pathAfterLead } from '../../../core/contract/page.ts'
import { readAttribution } from '../../lib/attribution.ts'
import { call, urlOf } from '../../lib/call.ts'
import { reportFormSubmit } from '../../lib/conversion.ts'
import { createIdempotencyKeys } from '../../lib/idempotency.ts'
import { useNamedProviderId, useProviderOfPage } from '../../lib/provider-of-page.ts'
import type { SignsOfLife } from '../../lib/signs-of-life.ts'
import { usePostForm } from '../../shared/forms/use-post-form.ts'
import { FIELD_NAMES, type LeadFields } from './lead-fields.ts'

type Options = {
  /** The provider that the visitor chose, if any. */
  providerId?: number
  /** The consent that the form shows; the lead names it. */
  consent?: ConsentText
  /** Called with the stored lead, before the visitor is taken to the thank-you page. */
  onSuccess?: (receipt: LeadReceipt) => void
  /** Tells the visitor that the lead could not be sent. */
  onFailure?: (error: Error) => void
  /** Called when a form is sent that holds something wrong; the fields say what. */
  onInvalid?: (errors: FieldErrors<LeadFields>) => void
}

export type LeadFormLogic = ReturnType<typeof useLeadForm>

// For all forms of this visit: going back and sending the same again gets the first lead's answer.
const idempotencyKeyOf = createIdempotencyKeys()

/** A lead's way from the fields to the thank-you page. */
export function useLeadForm({ providerId, consent = CONSENT.form, ...options }: Options = {}) {
  const navigate = useNavigate()
  const ofPage = useProviderOfPage()
  const namedProviderId = useNamedProviderId()

  function send(values: LeadForm, signs: SignsOfLife) {
    const lead = { ...values, acceptance_message: consent.wording, consent_version: consent.version }
    return call(createLead, {
      query: { providerId },
      body: { ...lead, ...signs, attribution: readAttribution() },
      idempotencyKey: idempotencyKeyOf({ lead, providerId }),
    })
  }

  return usePostForm({
    ...options,
    schema: LeadForm,
    names: FIELD_NAMES,
    action: urlOf(createLead, { query: { providerId } }),
    consent,
    send,
    onSuccess(receipt: LeadReceipt) {
      reportFormSubmit(receipt.id, ofPage.known ? ofPage.provider : null)
      options.onSuccess?.(receipt)
      navigate(pathAfterLead(receipt, namedProviderId))
    },
  })
}
