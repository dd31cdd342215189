import { z } from 'zod'
import { defineCall, RowParams } from '../../contract/call.ts'
import { EmailPurpose, FailureCause, RetryAnswer, RetryQuery } from '../../deliveries/contract/jobs.ts'
import { OutcomeReason } from '../../leads/contract/outcomes.ts'
import { AuditLine } from '../../staff/contract/audit-log.ts'
import { SyncChange } from '../../sync/contract/sync.ts'
import { ClinicPerson } from './clinic.ts'
import { MAX_PROVIDER_IDS, ProviderListQuery, ProviderParams, StaffProvider } from './providers.ts'

/** The number of emails that the health of a provider's address is judged by. */
export const MAILS_JUDGED = 10
/** The most changes that a record lists. */
export const MAX_LISTED = 20
/** The period of the figures, in days up to now. */
export const RECORD_DAYS = 90
/** A clinic with fewer requests in the period is left out of the network's medians. */
export const MIN_REQUESTS = 5

const count = z.number().int()
/** From 0 to 1; null if there is nothing to count. */
const share = z.number().min(0).max(1).nullable()
const time = z.iso.datetime()

/**
 * The state of the address that gets a provider's leads, by its last ten emails. `bouncing`: the newest three or more were not
 * delivered, `since` the first of these; `trouble`: some were not; `none`: there was no email yet. `failed` of `of` were
 * not delivered.
 */
export const DeliveryHealth = z.object({
  state: z.enum(['ok', 'trouble', 'bouncing', 'none']),
  since: time.nullable(),
  failed: count,
  of: count,
})
export type DeliveryHealth = z.infer<typeof DeliveryHealth>

/** An email to a clinic. `retrying`: the last attempt failed, and there will be another one. */
export const ClinicMail = z.object({
  id: z.uuid(),
  purpose: EmailPurpose,
  lead_id: z.number().int().nullable(),
  at: time,
  state: z.enum(['delivered', 'failed', 'retrying']),
  /** The error in our own words, and that of the mail server in its words. */
  error: z.string().nullable(),
  detail: z.string().nullable(),
  cause: FailureCause.nullable().catch(null),
})
export type ClinicMail = z.infer<typeof ClinicMail>

/**
 * The figures of a clinic for the requests that came in a period and that it has. Opened, reached and booked are counted by
 * the current outcome (`core/leads/rules/outcomes.ts`). Times are in milliseconds, distances in miles.
 */
const ClinicFigures = z.object({
  requests: count,
  /** The emails with a request that were delivered, and those that failed. Others are under way. */
  delivered: count,
  failed: count,
  opened: count,
  reached: count,
  booked: count,
  /** The median time from the match to the first answer; null without answers. */
  answer_time: z.number().nullable(),
  /** Requests whose limit has passed or that were answered, and those of them that were answered within it. */
  timed: count,
  in_time: count,
  declined: z.array(z.object({ reason: OutcomeReason, count })),
  /** People of its requests who asked not to be contacted, and visitors who said that the clinic did not call. */
  opted_out: count,
  not_called: count,
  distance: z.object({ p50: z.number().nullable(), p90: z.number().nullable() }),
})
export type ClinicFigures = z.infer<typeof ClinicFigures>

/** The medians of the clinics with at least `MIN_REQUESTS` requests in the period. */
const NetworkFigures = z.object({
  clinics: count,
  requests: z.number().nullable(),
  opened: share,
  reached: share,
  booked: share,
  answer_time: z.number().nullable(),
  in_time: share,
  distance: z.number().nullable(),
})
export type NetworkFigures = z.infer<typeof NetworkFigures>

/** The requests of a calendar month of the network, like `2026-11`, as in the figures. */
const ClinicMonth = ClinicFigures.pick({
  requests: true,
  reached: true,
  booked: true,
  timed: true,
  in_time: true,
}).extend({
  month: z.string(),
  came: count,
})
export type ClinicMonth = z.infer<typeof ClinicMonth>
export const MAX_MONTHS = 12

/** A change of a clinic: by a sync, or an act of staff. */
const ClinicChange = z.union([
  z.object({ at: time, sync: z.object({ id: z.number().int(), change: SyncChange }) }),
  z.object({ at: time, act: AuditLine }),
])
export type ClinicChange = z.infer<typeof ClinicChange>

/** Everything about a clinic, without personal data of visitors. */
export const ProviderRecord = z.object({
  provider: StaffProvider,
  place: z.object({ city: z.string(), state: z.string() }).nullable(),
  /** The address that gets its leads. */
  address: z.string(),
  /** The address of WordPress, and the people of the clinic. */
  people: z.array(ClinicPerson),
  health: DeliveryHealth,
  /** The newest first, up to `MAILS_JUDGED`. */
  mails: z.array(ClinicMail),
  /** Of the last `RECORD_DAYS`. */
  figures: z.object({ own: ClinicFigures, network: NetworkFigures }),
  /** The last months, the newest first, from the first one with a request. */
  months: z.array(ClinicMonth),
  /** Its unanswered requests whose email to it failed, the newest first, as many as `changeLeads` takes. */
  failed_leads: z.array(count),
  /** The newest first, up to `MAX_LISTED`. Runs of the sync are kept for 90 days. */
  changes: z.array(ClinicChange),
})
export type ProviderRecord = z.infer<typeof ProviderRecord>

export const getProviderRecord = defineCall({
  method: 'GET',
  path: '/api/providers/:providerId/record',
  summary: 'Get the record of a clinic: its figures, the health of its address, failed deliveries, and changes.',
  access: 'viewer',
  input: { params: ProviderParams },
  output: ProviderRecord,
})

/** What the table of providers shows besides a provider's own fields: its place, and its requests of the last 30 days. */
export const ProviderFigures = z.object({
  id: z.number().int(),
  place: z.object({ city: z.string(), state: z.string() }).nullable(),
  leads: count,
  /** When its last lead of all times came. */
  last_lead_at: time.nullable(),
  /** The median time to the first answer, in milliseconds; null without answers. */
  answer_time: z.number().nullable(),
  /** The share of its requests whose person it has reached; null without requests. */
  reached: share,
  health: DeliveryHealth,
})
export type ProviderFigures = z.infer<typeof ProviderFigures>

export const listProviderFigures = defineCall({
  method: 'GET',
  path: '/api/providers/figures',
  summary: `List the place, leads of 30 days, last lead, answers and delivery health of all clinics, or of up to ${MAX_PROVIDER_IDS}.`,
  access: 'viewer',
  input: { query: ProviderListQuery.pick({ ids: true }) },
  output: z.array(ProviderFigures),
})

export const sendTestEmail = defineCall({
  method: 'POST',
  path: '/api/providers/:providerId/test-email',
  summary: 'Send a test email to the address that gets the leads of a clinic.',
  access: 'manager',
  input: { params: ProviderParams, query: RetryQuery },
  output: RetryAnswer,
})

export const removeProviderPerson = defineCall({
  method: 'DELETE',
  path: '/api/providers/:providerId/people/:id',
  summary:
    'Remove a person of a clinic, who can no longer sign in. The requests that they got go to the address of WordPress.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: ProviderParams.extend(RowParams.shape) },
})
