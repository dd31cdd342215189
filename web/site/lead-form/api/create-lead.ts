import { type LeadForm, LeadReceipt, type NewLead } from '../../../../core/contract/leads.ts'
import { call } from '../../../lib/http.ts'
import type { SignsOfLife } from '../../../lib/signs-of-life.ts'
import { endpoints } from '../../../paths.ts'

export type NewLeadRequest = {
  lead: LeadForm & SignsOfLife & Pick<NewLead, 'attribution'>
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
