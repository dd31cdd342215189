import { z } from 'zod'
import { defineCall, PageQuery, RowParams } from '../../contract/call.ts'
import { Email } from '../../contract/forms.ts'
import { CLINIC_PARTS } from '../../contract/page.ts'
import { AnswerClock, OutcomeKind, OutcomeReason } from '../../leads/contract/outcomes.ts'
import { ProviderRules, ProviderRulesAnswer } from './provider-rules.ts'

/*
 * The calls of a clinic's own pages. A session belongs to one clinic. Rows of another clinic are not found, whatever is
 * asked for.
 */

export const ClinicSession = z.object({
  clinic: z
    .object({ id: z.number().int(), name: z.string(), practiceName: z.string().nullable(), email: z.string() })
    .nullable(),
  /** The time zone of the clinic (an IANA name); without a clinic that of the network. */
  time_zone: z.string(),
})
export type ClinicSession = z.infer<typeof ClinicSession>

export const REQUESTS_PER_PAGE = 20

/** Selects the requests of a clinic: those without an answer, those with one, or those with this outcome. */
export const ClinicRequestsQuery = PageQuery(REQUESTS_PER_PAGE).extend({
  show: z.enum(['all', 'open', 'answered', ...OutcomeKind.options]).default('all'),
})
export type ClinicRequestsQuery = z.output<typeof ClinicRequestsQuery>

/** A request, for its clinic. Times are ISO 8601. */
export const ClinicRequest = z.object({
  id: z.number().int(),
  /** The page for it, where it is answered. */
  url: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** Empty, like the phone, if the person asked not to be contacted. */
  email: z.string(),
  phone: z.string(),
  do_not_contact: z.boolean(),
  zip_code: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  /** The time zone of the zip (an IANA name), if it is known. */
  time_zone: z.string().nullable(),
  miles: z.number().nullable(),
  received_at: z.iso.datetime(),
  outcome: OutcomeKind.nullable(),
  outcome_at: z.iso.datetime().nullable(),
  reason: OutcomeReason.nullable().catch(null),
  booked_for: z.iso.date().nullable(),
  note: z.string().nullable(),
  answer: AnswerClock.nullable(),
})
export type ClinicRequest = z.infer<typeof ClinicRequest>

export const ClinicRequests = z.object({
  requests: z.array(ClinicRequest),
  total: z.number().int(),
  open: z.number().int(),
})
export type ClinicRequests = z.infer<typeof ClinicRequests>

/** Shares are from 0 to 1, and null where nothing was counted. The medians of the network count clinics, not requests. */
const Figure = z.object({ own: z.number().nullable(), network: z.number().nullable() })

/** The requests that a clinic got in a month of its time zone, such as 2026-11, and what they came to. */
const ClinicMonth = z.object({
  month: z.string(),
  requests: z.number().int(),
  reached: z.number().int(),
  booked: z.number().int(),
  came: z.number().int(),
})
export type ClinicMonth = z.infer<typeof ClinicMonth>

/** What a clinic made of its requests of the last 90 days, beside the median clinic of the network. */
export const ClinicFigures = z.object({
  days: z.number().int(),
  /** The median time to the first answer, in milliseconds. */
  answer_time: Figure,
  answered_in_time: Figure,
  reached: Figure,
  booked: Figure,
  /** The last six months that have any, the newest first. */
  months: z.array(ClinicMonth),
})
export type ClinicFigures = z.infer<typeof ClinicFigures>

/** The emails that a person of a clinic gets: the requests, instead of the address of WordPress, or notices of late answers. */
export const PersonGets = z.enum(['requests', 'late'])
export type PersonGets = z.infer<typeof PersonGets>

/**
 * An address that may sign in. That of WordPress has no id and cannot be removed here, so that a person who takes over the requests
 * cannot lock out the clinic. Others are confirmed when they first sign in.
 */
export const ClinicPerson = z.object({
  id: z.number().int().nullable(),
  email: z.string(),
  added_at: z.iso.datetime().nullable(),
  added_by: z.string().nullable(),
  confirmed_at: z.iso.datetime().nullable(),
  gets: PersonGets.nullable(),
})
export type ClinicPerson = z.infer<typeof ClinicPerson>

/** The token of a link in an email. */
const LinkToken = z.object({
  token: z.string().regex(/^[\w-]{43}$/, 'This link is not complete. Open it again from the email.'),
})

/** The rules that a clinic decides itself. */
const ClinicRules = ProviderRules.pick({
  is_paused: true,
  paused_until: true,
  paused_because: true,
  daily_cap: true,
  weekly_cap: true,
  monthly_cap: true,
  hours: true,
  time_zone: true,
})

export const ClinicSettings = z.object({
  rules: ClinicRules,
  /** The requests that it got in the current day, week and month of the network. */
  used: ProviderRulesAnswer.shape.used,
  people: z.array(ClinicPerson),
  /** Another address that WordPress has by now. It is used once the clinic or our team confirms it. */
  new_email: z.string().nullable(),
  figures: ClinicFigures,
})
export type ClinicSettings = z.infer<typeof ClinicSettings>

/** The most people of one clinic, besides its own address. */
export const MAX_PEOPLE = 20

export const getClinicSession = defineCall({
  method: 'GET',
  path: '/api/clinic/session',
  summary: 'Get the clinic that this browser is signed in to.',
  access: 'public',
  noStore: true,
  output: ClinicSession,
})

export const requestClinicLink = defineCall({
  method: 'POST',
  path: '/api/clinic/link',
  summary: 'Mail a link to sign in, if the address belongs to a clinic. The answer is the same either way.',
  access: 'public',
  noStore: true,
  input: { body: z.object({ email: Email, page: z.enum(CLINIC_PARTS).nullable().default(null) }) },
})

export const findClinicLink = defineCall({
  method: 'POST',
  path: '/api/clinic/link/look-up',
  summary: 'Get the clinic whose pages a link opens, and the address that it signs in. The link is not used up.',
  access: 'public',
  noStore: true,
  input: { body: LinkToken },
  output: z.object({
    clinic: z.object({ id: z.number().int(), name: z.string(), practiceName: z.string().nullable() }),
    email: z.string(),
  }),
})

export const signInClinic = defineCall({
  method: 'POST',
  path: '/api/clinic/session',
  summary: 'Sign in with the token of a link, which confirms its address. A token works once.',
  access: 'public',
  noStore: true,
  input: { body: LinkToken },
  output: ClinicSession,
})

export const signOutClinic = defineCall({
  method: 'DELETE',
  path: '/api/clinic/session',
  summary: 'Sign out of the pages of a clinic.',
  access: 'public',
  noStore: true,
  output: ClinicSession,
})

export const listClinicRequests = defineCall({
  method: 'GET',
  path: '/api/clinic/requests',
  summary: 'List the requests of the clinic, the newest first.',
  access: 'clinic',
  input: { query: ClinicRequestsQuery },
  output: ClinicRequests,
})

export const exportClinicRequests = defineCall({
  method: 'GET',
  path: '/api/clinic/requests.csv',
  summary: 'Export the requests of the clinic as CSV.',
  access: 'clinic',
  output: z.string(),
  type: 'text/csv',
})

export const getClinicSettings = defineCall({
  method: 'GET',
  path: '/api/clinic/settings',
  summary: 'Get the pause, the limits, the hours and the figures of the clinic, and the addresses that may sign in.',
  access: 'clinic',
  output: ClinicSettings,
})

export const changeClinicSettings = defineCall({
  method: 'PATCH',
  path: '/api/clinic/settings',
  summary: 'Pause new requests, limit them, or set the hours. Fields that are left out stay as they are.',
  access: 'clinic',
  input: { body: ClinicRules.partial() },
  output: ClinicSettings,
})

export const addClinicPerson = defineCall({
  method: 'POST',
  path: '/api/clinic/people',
  summary: 'Let another address sign in, and mail it a link. The clinic’s own address is notified.',
  access: 'clinic',
  input: { body: z.object({ email: Email }) },
})

export const changeClinicPerson = defineCall({
  method: 'PATCH',
  path: '/api/clinic/people/:id',
  summary: 'Choose which emails a person gets. The address that got them before is notified.',
  access: 'clinic',
  input: { params: RowParams, body: z.object({ gets: PersonGets.nullable() }) },
})

export const removeClinicPerson = defineCall({
  method: 'DELETE',
  path: '/api/clinic/people/:id',
  summary: 'Stop an address from signing in. Its sessions end.',
  access: 'clinic',
  input: { params: RowParams },
})

export const confirmClinicEmail = defineCall({
  method: 'POST',
  path: '/api/clinic/email',
  summary: 'Confirm the address that WordPress has now. The previous one is notified.',
  access: 'clinic',
  input: { body: z.object({ email: z.string().min(1).max(254) }) },
})
