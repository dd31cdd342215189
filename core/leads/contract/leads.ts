import { z } from 'zod'
import { defineCall, PageQuery, RowParams } from '../../contract/call.ts'
import { CONSENT_CHANNELS } from '../../contract/consent.ts'
import { Attribution, eachLeadField, HeldReason, LEAD_FIELDS, type LeadField, UNUSABLE } from '../../contract/forms.ts'
import { Deliveries, DeliveryStatus, DeliveryTarget, FailureCause, Ledger } from '../../deliveries/contract/jobs.ts'
import { LeadOptOut } from '../../privacy/contract/opt-outs.ts'
import { SkippedClinic } from '../../providers/contract/provider-rules.ts'
import { AnswerClock, OutcomeKind } from './outcomes.ts'

export const Colleague = z.object({ id: z.number().int(), name: z.string() })
export type Colleague = z.infer<typeof Colleague>

export const MAX_TAG_LENGTH = 30

/** A tag: words in lower case, with single spaces. */
export const Tag = z
  .string()
  .transform((text) => text.trim().replace(/\s+/g, ' ').toLowerCase())
  .pipe(
    z
      .string()
      .min(1, 'A tag cannot be empty')
      .max(MAX_TAG_LENGTH, `A tag must be ${MAX_TAG_LENGTH} characters or fewer`)
      .regex(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} &+'’/_-]*$/u, 'A tag consists of letters, digits and spaces'),
  )

export const LeadNote = z.object({
  id: z.number().int(),
  body: z.string(),
  /** As in the audit log. */
  author: z.string(),
  author_name: z.string().nullable(),
  at: z.iso.datetime(),
})
export type LeadNote = z.infer<typeof LeadNote>

/** Who works on a lead, what comes next, and the notes, oldest first. */
export const LeadWork = z.object({
  owner: Colleague.nullable(),
  next_action: z.string().nullable(),
  /** The day of the next action, such as 2026-11-23. */
  next_action_on: z.iso.date().nullable(),
  tags: z.array(z.string()),
  notes: z.array(LeadNote),
})
export type LeadWork = z.infer<typeof LeadWork>

/** `again`: the clinic that has an earlier request of the same person. */
export const MatchKind = z.enum(['chosen', 'nearest', 'staff', 'again'])
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
  provider_id: z.number().int().nullable().catch(null),
  created_at: ShownTime,
  crm_sync_status: ShownStatus,
  email_status: ShownStatus,
  acceptance_message: z.string().catch(''),
  acceptance_consent: z.boolean().catch(false),
  acceptance_ip: z.string().nullable().catch(null),
  matched_at: z.iso.datetime().nullable().catch(null),
  match_kind: MatchKind.nullable().catch(null),
  match_distance_miles: z.number().nullable().catch(null),
  /** The clinics that came before and could not take the lead. Null: none. */
  match_skipped: z.array(SkippedClinic).nullable().catch(null),
  held_reason: ShownHeldReason,
  /** The current outcome at the clinic that has the lead. */
  outcome: OutcomeKind.nullable().catch(null),
  outcome_at: z.iso.datetime().nullable().catch(null),
  /** The newest earlier request with the same email or phone, unless that was held. It may be deleted by now. */
  repeat_of: z.number().int().nullable().catch(null),
  /** Staff test their setup with it. Every email about it goes to its own address, and it counts nowhere. */
  is_test: z.boolean().catch(false),
})
export type Lead = z.infer<typeof Lead>

export const LEADS_PER_PAGE = 40

/** A day in the network's time zone, such as 2026-11-23. */
const Day = z.iso.date('Write the day like 2026-11-23').refine((day) => day >= '1970-01-01', 'No lead is that old')

/** A boolean, in JSON or in a query. */
const Flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })])

/** The name of a source or campaign. Those of leads are in lower case. */
const Origin = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(200, 'A name must be 200 characters or fewer')
  .refine((text) => !UNUSABLE.test(text), 'A name contains characters that cannot be used')

/** Selects the leads that meet all given conditions. Lists, exports and bulk actions share it. */
export const LeadFilter = z.object({
  /**
   * Words that each start a word of the name, of the clinic or of the place, the email or the zip code; a phone number in any
   * format; or the number of a lead. An empty search is ignored.
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
  /** Whether an email or the CRM has failed. */
  failed: Flag.optional(),
  provider_id: RowParams.shape.id.optional(),
  unmatched: Flag.optional(),
  held: Flag.optional(),
  /** The current outcome; `none`: a clinic has the lead, and has not even opened it. */
  outcome: z.enum([...OutcomeKind.options, 'none']).optional(),
  late: Flag.optional(),
  /** Whether the same email or phone had sent an earlier request, or staff have linked the lead with one. */
  repeat: Flag.optional(),
  /** A delivery for this cause, to this target, has failed or is retried after a failure. */
  cause: FailureCause.optional(),
  target: DeliveryTarget.optional(),
  /** The run of the provider sync that found the lead too old to be matched automatically. Not matched since. */
  asked_by_sync: RowParams.shape.id.optional(),
  /** Whether the email about the lead to the clinic that has it has failed permanently. */
  not_reached: Flag.optional(),
  /** The state of the visitor's zip code, in two letters. */
  state: z
    .string()
    .regex(/^[a-z]{2}$/i, 'Write the state in two letters, like TX')
    .toUpperCase()
    .optional(),
  /** Where the visitor came from; `none`: unknown, as for a visitor who typed the address. */
  source: Origin.optional(),
  /** The campaign of the visit; `none`: the visit names none. */
  campaign: Origin.optional(),
  /** The account that owns the lead; `none` for leads without an owner. */
  owner: z.union([z.literal('none'), RowParams.shape.id]).optional(),
  tag: Tag.optional(),
  /** Whether the next action is due: its day is today or past, in the network's time zone. */
  due: Flag.optional(),
  /** The first and the last day of arrival, in the network's time zone. */
  from: Day.optional(),
  to: Day.optional(),
})
export type LeadFilter = z.output<typeof LeadFilter>

/**
 * A minus means descending order. `name` is the last name, and `provider` the name of the clinic, both ignoring case and
 * accents. `crm` and `clinic` begin with what has failed. `outcome` begins with none, and `source` ends with none.
 */
export const LeadSort = z.enum([
  ...['created_at', '-created_at', 'name', '-name', 'zip_code', '-zip_code', 'provider', '-provider'],
  ...['crm', '-crm', 'clinic', '-clinic', 'outcome', '-outcome', 'source', '-source'],
] as const)
export type LeadSort = z.infer<typeof LeadSort>

export const LeadExportQuery = LeadFilter.extend({ sort: LeadSort.default('-created_at') })
export type LeadExportQuery = z.output<typeof LeadExportQuery>

export const LeadListQuery = PageQuery(LEADS_PER_PAGE).extend(LeadExportQuery.shape)
export type LeadListQuery = z.output<typeof LeadListQuery>

/** The most requests of one person that are counted. */
export const MAX_COUNTED_REQUESTS = 100

/**
 * The place of a lead among all requests of its person, the oldest first: the second of three. Requests belong together
 * by email, phone and links of staff, over any number of steps.
 */
export const RequestCount = z.object({ number: z.number().int(), total: z.number().int() })
export type RequestCount = z.infer<typeof RequestCount>

/**
 * A lead in a list for staff. `do_not_contact` is set if the person asked not to be contacted. `answer` is null while no
 * clinic has to answer.
 */
export const ListedLead = Lead.extend({
  deliveries: Deliveries.catch({}),
  answer: AnswerClock.nullable().default(null),
  requests: RequestCount.default({ number: 1, total: 1 }),
  /** The colleague who works on it, its tags, and the day of the next action. */
  owner: Colleague.nullable().default(null),
  tags: z.array(z.string()).default([]),
  next_action_on: z.iso.date().nullable().default(null),
  /** The city and state of the zip code: `Baltimore, MD`. */
  place: z.string().nullable().default(null),
  /** Where the visitor came from, in lower case, by the last visit before the form. */
  source: z.string().nullable().default(null),
  campaign: z.string().nullable().default(null),
  do_not_contact: z.literal(true).optional(),
})
export type ListedLead = z.infer<typeof ListedLead>

export const LeadList = z.object({ leads: z.array(ListedLead), total: z.number().int() })
export type LeadList = z.infer<typeof LeadList>

export const RelatedLead = z.object({
  id: z.number().int(),
  created_at: z.iso.datetime(),
  provider_id: z.number().int().nullable(),
  provider_name: z.string().nullable(),
  held_reason: HeldReason.nullable(),
  outcome: OutcomeKind.nullable().catch(null),
})
export type RelatedLead = z.infer<typeof RelatedLead>

/** A lead with its clinic, the work on it, the opt-out of its person, the evidence of its consent, and its attribution. */
export const LeadDetails = ListedLead.extend({
  ...LeadWork.shape,
  opt_out: LeadOptOut,
  crm_external_id: z.string().nullable(),
  /** The id of the request that brought it (`X-Request-Id`), as in the logs. */
  request_id: z.string().nullable().default(null),
  /** The time zone of the zip code, an IANA name. Null for an unknown zip code. */
  time_zone: z.string().nullable().default(null),
  /** The day of the appointment, while the lead is booked. */
  booked_for: z.iso.date().nullable().default(null),
  clinic: z
    .object({ name: z.string(), practiceName: z.string().nullable(), phone: z.string().nullable(), email: z.string() })
    .nullable(),
  attribution: Attribution,
  /** Newest first, up to ten. */
  samePerson: z.array(RelatedLead),
  consent: z
    .object({
      /** Our own text, or what the client stated. Empty if it stated none. */
      wording: z.string(),
      /** Null for a wording stated by the client. */
      wording_version: z.string().nullable(),
      /** How it came. Null in older rows. */
      channel: z.enum(CONSENT_CHANNELS).nullable().catch(null),
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

export const listLeads = defineCall({
  method: 'GET',
  path: '/api/leads',
  summary: 'List the leads that match a filter, one page at a time.',
  access: 'viewer',
  input: { query: LeadListQuery },
  output: LeadList,
})

export const LeadCounts = z.object({
  all: z.number().int(),
  failed: z.number().int(),
  unmatched: z.number().int(),
  held: z.number().int(),
  not_reached: z.number().int(),
  late: z.number().int(),
  due: z.number().int(),
  /** Those that the viewer's account owns. */
  mine: z.number().int().default(0),
})
export type LeadCounts = z.infer<typeof LeadCounts>

export const MAX_FILTER_VALUES = 200

export const LeadFilterValues = z.object({
  counts: LeadCounts,
  states: z.array(z.string()),
  sources: z.array(z.string()),
  campaigns: z.array(z.string()),
  /** The enabled accounts, by name. */
  staff: z.array(Colleague),
  /** The most frequent first. */
  tags: z.array(z.string()),
})
export type LeadFilterValues = z.infer<typeof LeadFilterValues>

export const listFilterValues = defineCall({
  method: 'GET',
  path: '/api/leads/filter-values',
  summary: 'Count the leads that need attention, and list the values and the colleagues to filter by.',
  access: 'viewer',
  output: LeadFilterValues,
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
  summary:
    'Get a lead with the work on it, the opt-out of its person, the evidence of its consent and its attribution.',
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
