import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { type UseFormSetError, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import type { z } from 'zod'
import { CONSENT } from '../../../core/contract/consent.ts'
import { LeadForm } from '../../../core/contract/leads.ts'
import { HttpError } from '../../lib/http.ts'
import { createIdempotencyKeys } from '../../lib/idempotency.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'
import { useCreateLead } from './api/create-lead.ts'

type Fields = z.input<typeof LeadForm>

const EMPTY: Fields = {
  first_name: '',
  last_name: '',
  email: '',
  phone: '',
  zip_code: '',
  acceptance_consent: false,
  acceptance_message: '',
}

type Options = {
  /** The provider that the visitor chose, if any. */
  providerId?: number
  /** The consent that the form shows; it is sent with the lead. */
  consentWording?: string
}

/** A lead's way from the fields to the thank-you page. What was typed stays when sending it fails. */
export function useLeadForm({ providerId, consentWording = CONSENT.form.wording }: Options = {}) {
  const navigate = useNavigate()
  const [idempotencyKeyOf] = useState(createIdempotencyKeys)
  const form = useForm<Fields, unknown, LeadForm>({
    resolver: standardSchemaResolver(LeadForm),
    defaultValues: EMPTY,
    mode: 'onTouched',
  })
  const creation = useCreateLead()

  const submit = form.handleSubmit((values) => {
    const lead = { ...values, acceptance_message: consentWording }
    creation.mutate(
      { lead, providerId, idempotencyKey: idempotencyKeyOf({ lead, providerId }) },
      {
        onSuccess: (receipt) => navigate(paths.afterLead(receipt.providerId)),
        onError: (error) => {
          toast({
            variant: 'destructive',
            title: 'Error',
            description: error.message || 'Failed to submit form. Please try again later.',
          })
          if (error instanceof HttpError) showFieldErrors(error, form.setError)
        },
      },
    )
  })

  return { form, submit, isSubmitting: creation.isPending || creation.isSuccess }
}

function showFieldErrors({ fields = {} }: HttpError, setError: UseFormSetError<Fields>): void {
  const known = Object.keys(EMPTY) as (keyof Fields)[]
  const wrong = known.filter((name) => fields[name])
  wrong.forEach((name, index) => {
    setError(name, { type: 'server', message: fields[name] }, { shouldFocus: index === 0 })
  })
}
