import { z } from 'zod'
import { ActionAnswer, defineCall, PageQuery, RowParams } from './call.ts'
import { consentFields, Email, HeldReason, line, optionalLine, Phone, Signals, UNUSABLE, ZipCode } from './forms.ts'
import { Deliveries, DeliveryStatus, DeliveryTarget, FailureCause, Ledger, RetryAnswer, RetryQuery } from './jobs.ts'

/** The origin of one visit: landing page, referrer and campaign ids. */
const Touch = z.object({
  landing_page: optionalLine(500),
  referrer: optionalLine(500),
  utm_source: optionalLine(200),
  utm_medium: optionalLine(200),
  utm_campaign: optionalLine(200),
  utm_term: optionalLine(200),
  utm_content: optionalLine(200),
  gclid: optionalLine(200),
  msclkid: optionalLine(200),
  fbclid: optionalLine(200),
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
 * is held for review by staff (`inReview`), or if no provider is in reach.
 */
export const LeadReceipt = z.object({
  id: z.number().int(),
  providerId: z.number().int().optional(),
  inReview: z.literal(true).optional(),
})
export type LeadReceipt = z.infer<typeof LeadReceipt>

export const MatchKind = z.enum(['chosen', 'nearest', 'staff'])
export type MatchKind = z.infer<typeof MatchKind>

/** Shows an unknown status as pending, so that one odd lead does not hide the list. */
const ShownStatus = DeliveryStatus.catch('pending')

const ShownHeldReason = z.preprocess(
  (reason) => (reason == null ? null : HeldReason.catch('other').parse(reason)),
  HeldReason.nullable(),
)

/** Shows a missing or invalid time as an empty text. */
const ShownTime = z.iso.datetime().catch('')

/** The fields for staff: any text, because a lead may be older than its rules. An optional field may be null or missing. */
const SHOWN_FIELDS = eachLeadField((name) =>
  LEAD_FIELDS[name].safeParse(undefined).success ? z.string().nullish() : z.string(),
) as { [Name in LeadField]: ShownField<z.output<(typeof LEAD_FIELDS)[Name]>> }
type ShownField<Value> = undefined extends Value ? z.ZodOptional<z.ZodNullable<z.ZodString>> : z.ZodString

/** A lead, for staff. Its keys are the columns of `leads` that are read. Distances are in miles, times ISO 8601. Invalid values that are only shown have a default. */
export const Lead = z.object({
  id: z.number().int(),
  ...SHOWN_FIELDS,
  provider_id: z.number().int().nullable(),
  created_at: ShownTime,
  crm_sync_status: ShownStatus,
  email_status: ShownStatus,
  acceptance_message: z.string(),
  acceptance_consent: z.boolean(),
  acceptance_ip: z.string().nullable(),
  matched_at: z.iso.datetime().nullable().catch(null),
  match_kind: MatchKind.nullable().catch(null),
  match_distance_miles: z.number().nullable(),
  held_reason: ShownHeldReason,
})
export type Lead = z.infer<typeof Lead>

export const LEADS_PER_PAGE = 40

/** A day in the network's time zone, such as 2026-11-23. */
const Day = z.iso.date('Write the day like 2026-11-23').refine((day) => day >= '1970-01-01', 'No lead is that old')

/** A boolean, in JSON or in a query. */
const Flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })])

/** Selects the leads that meet all given conditions. Lists, exports and bulk actions share it. */
export const LeadFilter = z.object({
  /** The beginning of a name, e-mail or zip code, or a phone number in any format. An empty search is ignored. */
  q: z
    .string()
    .trim()
    .max(100, 'A search must be 100 characters or fewer')
    .refine((text) => !UNUSABLE.test(text), 'A search contains characters that cannot be used')
    .transform((text) => text || undefined)
    .optional(),
  crm_sync_status: DeliveryStatus.optional(),
  email_status: DeliveryStatus.optional(),
  /** Whether an e-mail or the CRM has failed. */
  failed: Flag.optional(),
  provider_id: z.coerce.number<number>().int().positive().max(2_147_483_647).optional(),
  unmatched: Flag.optional(),
  held: Flag.optional(),
  /** A delivery for this cause, to this target, has failed or is retried after a failure. */
  cause: FailureCause.optional(),
  target: DeliveryTarget.optional(),
  /** The run of the provider sync that found the lead too old to be matched automatically. Not matched since. */
  asked_by_sync: z.coerce.number<number>().int().positive().max(2_147_483_647).optional(),
  /** The first and the last day of arrival, in the network's time zone. */
  from: Day.optional(),
  to: Day.optional(),
})
export type LeadFilter = z.output<typeof LeadFilter>

/** A minus means descending order. Names are sorted by last name, ignoring case and accents. */
export const LeadSort = z.enum(['created_at', '-created_at', 'name', '-name', 'zip_code', '-zip_code'])
export type LeadSort = z.infer<typeof LeadSort>

/** The query of `exportLeads`. */
export const LeadExportQuery = LeadFilter.extend({ sort: LeadSort.default('-created_at') })
export type LeadExportQuery = z.output<typeof LeadExportQuery>

/** The query of `listLeads`. */
export const LeadListQuery = PageQuery(LEADS_PER_PAGE).extend(LeadExportQuery.shape)
export type LeadListQuery = z.output<typeof LeadListQuery>

/** A lead in a list for staff. `do_not_contact` is set if the person asked not to be contacted. */
export const ListedLead = Lead.extend({ deliveries: Deliveries, do_not_contact: z.literal(true).optional() })
export type ListedLead = z.infer<typeof ListedLead>

export const LeadList = z.object({ leads: z.array(ListedLead), total: z.number().int() })
export type LeadList = z.infer<typeof LeadList>

/** Another lead with the same e-mail or phone. */
const RelatedLead = z.object({
  id: z.number().int(),
  created_at: z.iso.datetime(),
  provider_id: z.number().int().nullable(),
  provider_name: z.string().nullable(),
  held_reason: HeldReason.nullable(),
})

/** A lead with its clinic, the evidence of its consent, and its attribution. */
export const LeadDetails = ListedLead.extend({
  crm_external_id: z.string().nullable(),
  clinic: z
    .object({ name: z.string(), practiceName: z.string().nullable(), phone: z.string().nullable(), email: z.string() })
    .nullable(),
  attribution: Attribution,
  /** Newest first, up to five. */
  samePerson: z.array(RelatedLead),
  consent: z
    .object({
      /** Empty if the form named no known consent. */
      wording: z.string(),
      /** Null if the form named no known consent. */
      wording_version: z.string().nullable(),
      /** SHA-256 of the wording, in hex. */
      wording_hash: z.string(),
      /** The sentence about sharing the details with a clinic, if the form showed one. */
      sharing_wording: z.string().nullable(),
      sharing_version: z.string().nullable(),
      given_at: z.iso.datetime(),
      ip: z.string().nullable(),
      user_agent: z.string().nullable(),
      page_url: z.string().nullable(),
    })
    .nullable(),
})
export type LeadDetails = z.infer<typeof LeadDetails>

/** A clinic that a lead can be matched with. */
export const MatchCandidate = z.object({
  id: z.number().int(),
  name: z.string(),
  practiceName: z.string().nullable(),
  zipCode: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  /** Only a search finds inactive clinics (`f`). They cannot be matched. */
  status: z.enum(['t', 'f']),
  /** The distance from the lead's zip code; null if the zip code or the clinic has no known place. */
  miles: z.number().nullable(),
})
export type MatchCandidate = z.infer<typeof MatchCandidate>

/** The query of `listCandidates`: words of a name, a practice, a city or a zip code. */
export const CandidatesQuery = z.object({ q: LeadFilter.shape.q })

/** The ten nearest clinics, or those that match the search, and facts to decide by. */
export const MatchCandidates = z.object({
  candidates: z.array(MatchCandidate),
  /** The largest distance of an automatic match. */
  radiusMiles: z.number(),
  /** Newest first, up to five. */
  samePerson: z.array(RelatedLead),
})
export type MatchCandidates = z.infer<typeof MatchCandidates>

export const AssignProvider = z.object({
  providerId: z.number({ error: 'Choose a provider' }).int().positive().max(2_147_483_647),
})

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

export const listLeads = defineCall({
  method: 'GET',
  path: '/api/leads',
  summary: 'List the leads that match a filter, one page at a time.',
  access: 'viewer',
  input: { query: LeadListQuery },
  output: LeadList,
})

export const exportLeads = defineCall({
  method: 'GET',
  path: '/api/leads.csv',
  summary: 'Export the leads that match a filter as CSV.',
  access: 'manager',
  needsConfirmation: true,
  input: { query: LeadExportQuery },
  output: z.string(),
  type: 'text/csv',
})

export const getLead = defineCall({
  method: 'GET',
  path: '/api/leads/:id',
  summary: 'Get a lead with the evidence of its consent and its attribution.',
  access: 'viewer',
  input: { params: RowParams },
  output: LeadDetails,
})

export const listLeadJobs = defineCall({
  method: 'GET',
  path: '/api/leads/:id/jobs',
  summary: 'List the deliveries of a lead, past and planned, and the acts of staff.',
  access: 'viewer',
  input: { params: RowParams },
  output: Ledger,
})

export const retryLeadSync = defineCall({
  method: 'POST',
  path: '/api/leads/:id/retry-sync',
  summary: 'Send a lead to the CRM again.',
  access: 'manager',
  input: { params: RowParams, query: RetryQuery },
  output: RetryAnswer,
})

export const retryLeadEmail = defineCall({
  method: 'POST',
  path: '/api/leads/:id/retry-email',
  summary: 'Send the e-mails of a lead again.',
  access: 'manager',
  input: { params: RowParams, query: RetryQuery },
  output: RetryAnswer,
})

export const releaseLead = defineCall({
  method: 'POST',
  path: '/api/leads/:id/release',
  summary: 'Release a lead that was held because it looked automated.',
  access: 'manager',
  input: { params: RowParams },
  output: ActionAnswer,
})

export const assignProvider = defineCall({
  method: 'PATCH',
  path: '/api/leads/:id/provider',
  summary: 'Match a lead with a provider. A held lead is released.',
  access: 'manager',
  input: { params: RowParams, body: AssignProvider },
  output: Lead,
})

export const undoMatch = defineCall({
  method: 'POST',
  path: '/api/leads/:id/undo-match',
  summary: 'Undo the latest match by staff, before its deliveries start.',
  access: 'manager',
  input: { params: RowParams },
  output: ActionAnswer,
})

export const listCandidates = defineCall({
  method: 'GET',
  path: '/api/leads/:id/candidates',
  summary: 'List the clinics that a lead can be matched with: the nearest, or those that match a search.',
  access: 'manager',
  input: { params: RowParams, query: CandidatesQuery },
  output: MatchCandidates,
})

export const deleteLead = defineCall({
  method: 'DELETE',
  path: '/api/leads/:id',
  summary: 'Delete a lead. The evidence of its consent stays.',
  access: 'manager',
  input: { params: RowParams },
  output: ActionAnswer,
})
