import { useMutation } from '@tanstack/react-query'
import { type LeadForm, LeadReceipt } from '../../../../core/contract/leads.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

export type NewLeadRequest = {
  lead: LeadForm
  /** The provider that the visitor chose, if any. */
  providerId?: number
  idempotencyKey: string
}

export function createLead({ lead, providerId, idempotencyKey }: NewLeadRequest): Promise<LeadReceipt> {
  return call(endpoints.newLead(providerId), {
    method: 'POST',
    headers: { 'idempotency-key': idempotencyKey },
    body: lead,
    answer: LeadReceipt,
  })
}

export function useCreateLead() {
  return useMutation({ mutationFn: createLead })
}
