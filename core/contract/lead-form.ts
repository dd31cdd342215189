import { z } from 'zod'
import { defineCall } from './call.ts'
import { CONSENT, consentOfVersion } from './consent.ts'
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

const UNKNOWN_ZIP = 'Please enter a valid 5-digit zip code'

/** The fields of the finder, which takes any zip code. A lead with one that does not exist stays unmatched. */
export const FinderForm = LeadForm.extend({ zip_code: line('Zip code', 10, UNKNOWN_ZIP) })

/** The body of `createLead`. Invalid attribution and signals are ignored, so that the lead is kept. */
export const NewLead = FinderForm.extend({
  attribution: Attribution.optional().catch(undefined),
  ...Signals.shape,
}).refine((lead) => isOfFinder(lead) || !lead.zip_code || ZipCode.safeParse(lead.zip_code).success, {
  path: ['zip_code'],
  error: UNKNOWN_ZIP,
  // Also with other faults, so that a form names all of them at once.
  when: ({ value }) => typeof value === 'object' && value !== null,
})

/** Returns whether a lead was sent by the finder, from the consent that it names. */
function isOfFinder({ consent_version, acceptance_message }: Pick<LeadForm, 'consent_version' | 'acceptance_message'>) {
  const consent = consent_version ? consentOfVersion('lead', consent_version) : { wording: acceptance_message }
  return consent?.wording === CONSENT.finder.wording
}

export type NewLead = z.output<typeof NewLead>

/** The query of `createLead`. An invalid provider id is ignored, so that the lead is kept. */
export const NewLeadQuery = z.object({
  providerId: z.coerce.number<number>().int().positive().max(2_147_483_647).optional().catch(undefined),
})

/**
 * The answer to a stored lead. It depends on the form and on the number of forms, never on what else is known about a
 * person, because a stranger may have typed the address or the number. A person who asked before may therefore be called by
 * another clinic: only the email names it.
 */
export const LeadReceipt = z.object({
  id: z.number().int().describe('A random number of this form. It differs from the number that staff see.'),
  providerId: z
    .number()
    .int()
    .optional()
    .describe(
      'The provider that was chosen, or else the one for this zip code. Missing if none is in the area, or with `inReview`.',
    ),
  inReview: z
    .literal(true)
    .optional()
    .describe(
      'The lead is stored, and our team looks at it before a provider gets it: a browser sent it from the page of another site that is not in FORM_ORIGINS, it looks as if a program had filled it in, or there were more forms than a cap allows. The caps count forms within an hour: those that name one email address (VISITOR_LEADS_PER_HOUR, and twice as many within a day), from one network address (ADDRESS_LEADS_PER_HOUR), for one provider (CLINIC_LEADS_PER_HOUR) and in all (LEADS_PER_HOUR).',
    ),
})

export type LeadReceipt = z.infer<typeof LeadReceipt>

export const createLead = defineCall({
  method: 'POST',
  path: '/api/leads',
  summary:
    'Submit a lead. A repetition with the same Idempotency-Key header, or of the same form within ten minutes, creates no second lead.',
  description:
    'Seven fields are enough: `first_name`, `last_name`, `email`, `phone`, `zip_code`, `acceptance_consent` and `acceptance_message`, without a cookie and without further headers. The lead goes to its provider at once, unless the answer has `inReview`. Invalid `attribution`, `topic`, `elapsed_ms` and `touched` are ignored; leave them out unless a form of this site is filled in.',
  access: 'public',
  isPublicForm: true,
  input: { query: NewLeadQuery, body: NewLead },
  output: LeadReceipt,
  status: 201,
})
