import { useEffect, useRef } from 'react'
import type { FieldErrors, UseFormReturn } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import type { z } from 'zod'
import { CONSENT, type ConsentText } from '../../../core/contract/consent.ts'
import {
  createLead,
  eachLeadField,
  FinderForm,
  LEAD_FIELD_NAMES,
  LeadForm,
  type LeadReceipt,
} from '../../../core/contract/forms.ts'
import { pathAfterLead } from '../../../core/contract/page.ts'
import { formatPhone } from '../../../core/contract/texts.ts'
import { call, urlOf } from '../../lib/call.ts'
import { useClinicOfPage, useNamedProviderId } from '../../lib/page-data.ts'
import { type SignsOfLife, usePostForm } from '../../shared/forms/use-post-form.ts'
import { toast } from '../../ui/toast.ts'
import { useAdvertiser } from '../ad-consent.ts'
import { readAttribution } from '../attribution.ts'
import { reportFormSubmit } from '../conversion.ts'
import { createIdempotencyKeys, forgetInput, keepInput, keptInput } from '../kept-input.ts'

type Options = {
  providerId?: number
  /** The consent that the form shows. Its wording and version are sent with the lead. */
  consent?: ConsentText
  /** Called with the stored lead, before the visitor goes to the thank-you page. */
  onSuccess?: (receipt: LeadReceipt) => void
  onFailure?: (error: Error) => void
  /** Whether a toast says that the consent is missing. */
  saysConsent?: true
}

export type LeadFormLogic = ReturnType<typeof useLeadForm>

// Shared by all forms of this visit: sending the same lead again must return the first receipt.
const idempotencyKeyOf = createIdempotencyKeys()

export function useLeadForm({ providerId, consent = CONSENT.form, saysConsent, ...options }: Options) {
  const navigate = useNavigate()
  const namedProviderId = useNamedProviderId()
  const clinic = useClinicOfPage()
  const advertiser = useAdvertiser()

  async function send(values: LeadForm, signs: SignsOfLife) {
    // As the field shows it after it was left, so that Enter within it makes no difference.
    const phone = formatPhone(values.phone)
    const lead = { ...values, phone, acceptance_message: consent.wording, consent_version: consent.version }
    return call(createLead, {
      query: { providerId },
      body: { ...lead, ...signs, attribution: readAttribution() },
      idempotencyKey: idempotencyKeyOf({ lead, providerId }),
    })
  }

  const logic = usePostForm({
    ...options,
    schema: consent === CONSENT.finder ? FinderForm : LeadForm,
    names: FIELD_NAMES,
    action: urlOf(createLead, { query: { providerId } }),
    consent,
    send,
    onInvalid: saysConsent && showMissingConsent,
    onSuccess(receipt: LeadReceipt) {
      isSent.current = true
      forgetInput()
      reportFormSubmit(receipt.id, advertiser)
      options.onSuccess?.(receipt)
      navigate(pathAfterLead(receipt, namedProviderId))
    },
  })
  const isSent = useKeptInput(logic.form, logic.initial !== undefined)
  return { ...logic, providerId, phone: clinic?.phone ?? undefined }
}

/**
 * Fills in what the visitor has typed on another page, and keeps what is typed here for the next one.
 * @param isReturned whether the server has sent the form back with what was typed
 * @returns a ref to set once the form is sent
 */
function useKeptInput(form: UseFormReturn<LeadFields, unknown, LeadForm>, isReturned: boolean) {
  const { getValues, setValue, subscribe } = form
  const isSent = useRef(false)
  useEffect(() => {
    const kept = isReturned ? {} : keptInput()
    for (const name of LEAD_FIELD_NAMES) {
      const value = kept[name]
      if (value && !getValues(name)) setValue(name, name === 'phone' ? formatPhone(value) : value)
    }
    // Text typed before hydration has caused no change event, and the answer needs one.
    const early = getValues('zip_code')
    if (early) for (const text of ['', early]) setValue('zip_code', text)
    const keep = () => {
      if (!isSent.current) keepInput(eachLeadField((name) => getValues(name)))
    }
    const unsubscribe = subscribe({ formState: { values: true }, callback: keep })
    return () => {
      unsubscribe()
      keep()
    }
  }, [getValues, setValue, subscribe, isReturned])
  return isSent
}

type LeadFields = z.input<typeof LeadForm>

const FIELD_NAMES = [...LEAD_FIELD_NAMES, 'acceptance_consent'] as const satisfies (keyof LeadFields)[]

function showMissingConsent({ acceptance_consent }: FieldErrors<LeadFields>): void {
  if (!acceptance_consent) return
  toast({
    variant: 'destructive',
    title: 'Consent Required',
    description: 'You must agree to receive communications to continue.',
  })
}
