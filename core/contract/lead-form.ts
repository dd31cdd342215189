import { z } from 'zod'
import { defineCall } from './call.ts'
import { consentFields, Email, line, optionalLine, Phone, Signals, ZipCode } from './forms.ts'

/** The advertising networks whose click ids in an address the browser recognizes. The ids themselves are neither sent nor stored. */
export const CLICK_NETWORKS = ['google', 'microsoft', 'facebook'] as const

/** The origin of one visit: landing page, referrer, campaign, and the network of a click on an ad. */
const Touch = z.object({
  landing_page: optionalLine(500),
  referrer: optionalLine(500),
  utm_source: optionalLine(200),
  utm_medium: optionalLine(200),
  utm_campaign: optionalLine(200),
  utm_term: optionalLine(200),
  utm_content: optionalLine(200),
  network: z.enum(CLICK_NETWORKS).optional().catch(undefined),
})

export const Attribution = z.object({
  first: Touch.optional().catch(undefined),
  last: Touch.optional().catch(undefined),
})

/**
 * The fields that a visitor types, with their schemas. Each is a text column of `leads` of the same name. Forms, API, storage,
 * export, webhook and the comparison with repeats derive from this list. A new field is optional.
 */
export const LEAD_FIELDS = {
  first_name: line('First name', 100),
  last_name: line('Last name', 100),
  email: Email,
  phone: Phone,
  zip_code: ZipCode,
}

export type LeadField = keyof typeof LEAD_FIELDS

export const LEAD_FIELD_NAMES = Object.keys(LEAD_FIELDS) as LeadField[]

/** Maps every field of the form to a value. */
export function eachLeadField<Value>(map: (name: LeadField) => Value) {
  return Object.fromEntries(LEAD_FIELD_NAMES.map((name) => [name, map(name)])) as Record<LeadField, Value>
}

/** The fields of every lead form. */
export const LeadForm = z.object({ ...LEAD_FIELDS, ...consentFields('lead') })

export type LeadForm = z.output<typeof LeadForm>

/** The body of `createLead`. Invalid attribution and signals are ignored, so that the lead is kept. */
export const NewLead = LeadForm.extend({ attribution: Attribution.optional().catch(undefined), ...Signals.shape })

export type NewLead = z.output<typeof NewLead>

/** The query of `createLead`. An invalid provider id is ignored, so that the lead is kept. */
export const NewLeadQuery = z.object({
  providerId: z.coerce.number<number>().int().positive().max(2_147_483_647).optional().catch(undefined),
})

/**
 * The answer to a stored lead. `id` is random and differs from the id that staff see. `providerId` is missing if the lead
 * is held for review by staff (`inReview`), if no provider is in reach, or if the lead goes to another clinic than
 * usual, that of an earlier request (`byEmail`): only the e-mail names it, because a stranger may have typed the address.
 */
export const LeadReceipt = z.object({
  id: z.number().int(),
  providerId: z.number().int().optional(),
  inReview: z.literal(true).optional(),
  byEmail: z.literal(true).optional(),
})

export type LeadReceipt = z.infer<typeof LeadReceipt>

export const createLead = defineCall({
  method: 'POST',
  path: '/api/leads',
  summary:
    'Submit a lead. A repetition with the same Idempotency-Key header, or of the same form within ten minutes, creates no second lead.',
  access: 'public',
  isPublicForm: true,
  input: { query: NewLeadQuery, body: NewLead },
  output: LeadReceipt,
  status: 201,
})
