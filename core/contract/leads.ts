import { z } from 'zod'
import { ActionAnswer, defineCall, PageQuery, RowParams } from './call.ts'
import { consentFields, Email, HeldReason, line, optionalLine, Phone, Signals, UNUSABLE, ZipCode } from './forms.ts'
import { Deliveries, DeliveryStatus, DeliveryTarget, FailureCause, Ledger, RetryAnswer, RetryQuery } from './jobs.ts'

/** How a visitor came to the site: one visit's landing page, referrer and campaign ids. */
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

/** What a visitor types into every lead form, and what `POST /api/leads` takes. */
export const LeadForm = z.object({
  first_name: line('First name', 100),
  last_name: line('Last name', 100),
  email: Email,
  phone: Phone,
  zip_code: ZipCode,
  ...consentFields('lead'),
})
export type LeadForm = z.output<typeof LeadForm>

/**
 * The body of `POST /api/leads`. Attribution and signals are a courtesy: what is wrong in them is left out, never a
 * reason to refuse.
 */
export const NewLead = LeadForm.extend({ attribution: Attribution.optional().catch(undefined), ...Signals.shape })
export type NewLead = z.output<typeof NewLead>

/** The query of `POST /api/leads`. A provider id that makes no sense is as good as none: a lead is not lost for it. */
export const NewLeadQuery = z.object({
  providerId: z.coerce.number<number>().int().positive().max(2_147_483_647).optional().catch(undefined),
})

/**
 * The answer to a stored lead. `id` is a random number that says nothing about other leads; the number that staff see is
 * another. Without `providerId` no provider has been told: the lead is held until staff have looked at
 * it (`inReview`), or none is in reach yet.
 */
export const LeadReceipt = z.object({
  id: z.number().int(),
  providerId: z.number().int().optional(),
  inReview: z.literal(true).optional(),
})
export type LeadReceipt = z.infer<typeof LeadReceipt>

export const MatchKind = z.enum(['chosen', 'nearest', 'staff'])
export type MatchKind = z.infer<typeof MatchKind>

/** A status that is not known here is shown as pending: one odd lead must not hide the whole list. */
const ShownStatus = DeliveryStatus.catch('pending')

const ShownHeldReason = z.preprocess(
  (reason) => (reason == null ? null : HeldReason.catch('other').parse(reason)),
  HeldReason.nullable(),
)

/** A time that is missing, or is none, is empty. */
const ShownTime = z.iso.datetime().catch('')

/**
 * A lead as staff see it. Distances are in miles, times ISO 8601. What is only shown and cannot be read has a plain value
 * in its place.
 */
export const Lead = z.object({
  id: z.number().int(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  zip_code: z.string(),
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

/** A day of the network, 2026-11-23. */
const Day = z.iso.date('Write the day like 2026-11-23').refine((day) => day >= '1970-01-01', 'No lead is that old')

/** `true` or `false`, as JSON or in a query. */
const Flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })])

/** Which leads are wanted: all that every given condition holds for. Lists, exports and actions on many share it. */
export const LeadFilter = z.object({
  /**
   * The first letters of a name, the e-mail or the zip, or a phone in any format. An empty search is ignored.
   */
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
  /** Of which a delivery has failed, or failed and is retried: for this cause, to this target. */
  cause: FailureCause.optional(),
  target: DeliveryTarget.optional(),
  /** Which a run of the provider sync asks about: too old to be matched by itself, and not matched since. */
  asked_by_sync: z.coerce.number<number>().int().positive().max(2_147_483_647).optional(),
  /** The first and the last day on which they came, in the network's time zone. */
  from: Day.optional(),
  to: Day.optional(),
})
export type LeadFilter = z.output<typeof LeadFilter>

/** A minus in front: the last one first. Names go by the last name, without case and accents. */
export const LeadSort = z.enum(['created_at', '-created_at', 'name', '-name', 'zip_code', '-zip_code'])
export type LeadSort = z.infer<typeof LeadSort>

/** The query of `GET /api/leads.csv`: every lead that matches. */
export const LeadExportQuery = LeadFilter.extend({ sort: LeadSort.default('-created_at') })
export type LeadExportQuery = z.output<typeof LeadExportQuery>

/** The query of `GET /api/leads`. */
export const LeadListQuery = PageQuery(LEADS_PER_PAGE).extend(LeadExportQuery.shape)
export type LeadListQuery = z.output<typeof LeadListQuery>

/** A lead in a list of staff's. `do_not_contact` is there where the person asked not to be contacted. */
export const ListedLead = Lead.extend({ deliveries: Deliveries, do_not_contact: z.literal(true).optional() })
export type ListedLead = z.infer<typeof ListedLead>

export const LeadList = z.object({ leads: z.array(ListedLead), total: z.number().int() })
export type LeadList = z.infer<typeof LeadList>

/** Another lead with the same e-mail or the same phone. */
const RelatedLead = z.object({
  id: z.number().int(),
  created_at: z.iso.datetime(),
  provider_id: z.number().int().nullable(),
  provider_name: z.string().nullable(),
  held_reason: HeldReason.nullable(),
})

/** One lead with all that staff may know of it: its clinic, the evidence of its consent, and how the visitor came. */
export const LeadDetails = ListedLead.extend({
  crm_external_id: z.string().nullable(),
  clinic: z
    .object({ name: z.string(), practiceName: z.string().nullable(), phone: z.string().nullable(), email: z.string() })
    .nullable(),
  attribution: Attribution,
  /** The newest first, up to five. */
  samePerson: z.array(RelatedLead),
  consent: z
    .object({
      /** Empty where the form named no consent that we know. */
      wording: z.string(),
      /** Null where the form named no consent that we know. */
      wording_version: z.string().nullable(),
      /** SHA-256 of the wording, in hex. */
      wording_hash: z.string(),
      /** The sentence about sharing the details with a clinic, where the form showed one. */
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

/** A clinic that a lead could be given to, as seen from the lead's zip code. */
export const MatchCandidate = z.object({
  id: z.number().int(),
  name: z.string(),
  practiceName: z.string().nullable(),
  zipCode: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  /** Inactive ones are found by a search only, and cannot be given a lead. */
  status: z.enum(['t', 'f']),
  /** Null where the zip code or the clinic cannot be placed on the map. */
  miles: z.number().nullable(),
})
export type MatchCandidate = z.infer<typeof MatchCandidate>

/** The query of `GET /api/leads/{id}/candidates`: words of a name, a practice, a city or a zip code. */
export const CandidatesQuery = z.object({ q: LeadFilter.shape.q })

/** The ten nearest, or those that match the words; and what to know before the lead is given to one of them. */
export const MatchCandidates = z.object({
  candidates: z.array(MatchCandidate),
  /** Nobody is told of a lead by itself beyond this distance. */
  radiusMiles: z.number(),
  /** The newest first, up to five. */
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
    'Send a lead. Repeating it with the same Idempotency-Key header, or the same form within ten minutes, does not create another one.',
  access: 'public',
  isPublicForm: true,
  input: { query: NewLeadQuery, body: NewLead },
  output: LeadReceipt,
  status: 201,
})

export const listLeads = defineCall({
  method: 'GET',
  path: '/api/leads',
  summary: 'One page of the leads that match, and how many match in all.',
  access: 'viewer',
  input: { query: LeadListQuery },
  output: LeadList,
})

export const exportLeads = defineCall({
  method: 'GET',
  path: '/api/leads.csv',
  summary: 'Every lead that matches, as a table for spreadsheets.',
  access: 'manager',
  needsConfirmation: true,
  input: { query: LeadExportQuery },
  output: z.string(),
  type: 'text/csv',
})

export const getLead = defineCall({
  method: 'GET',
  path: '/api/leads/:id',
  summary: 'One lead, with the evidence of its consent, and how the visitor came.',
  access: 'viewer',
  input: { params: RowParams },
  output: LeadDetails,
})

export const listLeadJobs = defineCall({
  method: 'GET',
  path: '/api/leads/:id/jobs',
  summary: 'Everything that was, is or will be done for a lead.',
  access: 'viewer',
  input: { params: RowParams },
  output: Ledger,
})

export const retryLeadSync = defineCall({
  method: 'POST',
  path: '/api/leads/:id/retry-sync',
  summary: 'Tell the CRM about a lead again.',
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
  summary: 'Deliver a lead that was held because it looked automated.',
  access: 'manager',
  input: { params: RowParams },
  output: ActionAnswer,
})

export const assignProvider = defineCall({
  method: 'PATCH',
  path: '/api/leads/:id/provider',
  summary: 'Give a lead to a provider. A held lead is released to it.',
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
  summary: 'The clinics that a lead could be given to: the nearest ones, or those that match a search.',
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
