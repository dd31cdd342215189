import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from '../../contract/call.ts'
import { ConfirmedConsent } from '../../contract/forms.ts'
import { LeadOutcome } from '../../leads/contract/outcomes.ts'
import { LoggedAction } from '../../staff/contract/audit-log.ts'
import { EMAILS } from '../emails.ts'
import { JOB_NAMES, JOBS, purposesOf } from '../jobs.ts'

export const JobName = z.enum(JOB_NAMES)
export type JobName = z.infer<typeof JobName>
/** The kinds of job that staff retry: all but their own bulk actions. */
export const DeliveryName = JobName.exclude(['bulk'])
export type DeliveryName = z.infer<typeof DeliveryName>
/** The plural of each kind of job, for staff. */
export const JOB_LABELS = Object.fromEntries(JOB_NAMES.map((name) => [name, JOBS[name].label])) as Record<
  JobName,
  string
>

/** Returns the label of a job, for staff. */
export function jobLabel({ name, purpose }: Pick<LedgerJob, 'name' | 'purpose'>): string {
  const purposes: Readonly<Record<string, string>> = JOBS[name].purposes
  return purposes[purpose] ?? `${JOBS[name].label} (${purpose})`
}

/** The purposes of email jobs. */
export const EmailPurpose = z.enum(purposesOf('send-email'))
export const CrmPurpose = z.enum(purposesOf('sync-crm'))
export type CrmPurpose = z.infer<typeof CrmPurpose>
/** The purposes of jobs that run after their lead was deleted permanently. */
export const AFTER_DELETION: string[] = ['deleted' satisfies CrmPurpose, ...Object.keys(EMAILS['erased lead'])]

export const JobState = z.enum(['waiting', 'enqueued', 'done', 'failed', 'cancelled'])
export type JobState = z.infer<typeof JobState>

/** The combined state of all deliveries of one kind. */
export const DeliveryStatus = z.enum(['pending', 'success', 'failed'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** The recipients of a lead. `previous_clinic` had the lead before and is asked not to call. */
export const DeliveryTarget = z.enum(['crm', 'clinic', 'visitor', 'team', 'previous_clinic'])
export type DeliveryTarget = z.infer<typeof DeliveryTarget>

const Delivery = z
  .object({
    status: z.enum([...DeliveryStatus.options, 'retrying']).catch('pending'),
    next_attempt_at: z.iso.datetime().nullable().catch(null),
  })
  .optional()

/**
 * The state of the deliveries to each target; a target without deliveries is missing. `retrying`: an attempt failed, and
 * the next one is due at `next_attempt_at`. Unknown targets are ignored and unknown states become `pending`, so that one
 * odd lead does not hide the list.
 */
export const Deliveries = z.object({
  crm: Delivery,
  clinic: Delivery,
  visitor: Delivery,
  team: Delivery,
  previous_clinic: Delivery,
} satisfies Record<DeliveryTarget, typeof Delivery>)
export type Deliveries = z.infer<typeof Deliveries>

/** The cause of a failed delivery. The ledger, advice, metrics and overview use it. */
export const FailureCause = z.enum([
  'unknown_mailbox',
  'mailbox_full',
  'blocked',
  'bad_address',
  'credentials',
  'unreachable',
  'busy',
  'server_error',
  'wrong_address',
  'unknown_property',
  'refused',
  'no_provider',
  'our_side',
])
export type FailureCause = z.infer<typeof FailureCause>

export const DELIVERY_WORDS: Record<DeliveryTarget, string> = {
  clinic: 'Email to the provider',
  previous_clinic: 'Email to the previous provider',
  visitor: 'Email to the visitor',
  team: 'Email to the team',
  crm: 'CRM',
}

/** A sentence about each cause. */
export const CAUSE_WORDS: Record<FailureCause, string> = {
  unknown_mailbox: 'The mailbox does not exist.',
  mailbox_full: 'The mailbox is full.',
  blocked: 'The mail server treats our emails as spam or does not accept them.',
  bad_address: 'The email address is not valid.',
  credentials: 'Our credentials were rejected.',
  unreachable: 'The receiver could not be reached.',
  busy: 'The receiver was busy and asked us to wait.',
  server_error: 'The receiver had an internal error.',
  wrong_address: 'The CRM’s URL does not accept leads.',
  unknown_property: 'The CRM does not have a field that we send.',
  refused: 'The receiver rejected the content.',
  no_provider: 'The lead had no provider to write to.',
  our_side: 'Something went wrong on our side.',
}

/** One attempt of a job. `interrupted`: its worker was stopped. That is not a failure, and the job runs again. */
export const JobAttempt = z.object({
  started_at: z.iso.datetime(),
  /** In milliseconds. */
  duration_ms: z.number().int().nullable(),
  outcome: z.enum(['running', 'interrupted', 'done', 'failed', 'cancelled']),
  /** The HTTP or SMTP status, if there was an answer. */
  status: z.number().int().nullable(),
  /** The error in our own words. */
  error: z.string().nullable(),
  cause: FailureCause.nullable().catch(null),
  /** The answer of the other system, up to 2,000 characters. It may name the visitor. */
  detail: z.string().nullable(),
  /** The time of the retry after a failure, if there is one. */
  next_attempt_at: z.iso.datetime().nullable(),
})
export type JobAttempt = z.infer<typeof JobAttempt>

/** One job in the delivery ledger of a lead, an application or a staff account, for staff. */
export const LedgerJob = z.object({
  id: z.uuid(),
  name: JobName,
  purpose: z.string(),
  generation: z.number().int(),
  /** The recipient of an email that was sent, or would be sent now; null if unknown, or for other jobs. */
  recipient: z.string().nullable(),
  state: JobState,
  attempts: z.number().int(),
  next_attempt_at: z.iso.datetime(),
  /** The error of the last attempt, or the reason of the cancellation, in our own words. */
  last_error: z.string().nullable(),
  last_cause: FailureCause.nullable().catch(null),
  /** The answer of the other system, as in an attempt. */
  last_detail: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  created_at: z.iso.datetime(),
  enqueued_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  /** Oldest first. Attempts are deleted before their job is. */
  attempt_log: z.array(JobAttempt),
  /** Advice about a failure, in one or two sentences. */
  advice: z.string().nullable(),
  /** Whether a copy of what was sent is kept. */
  has_copy: z.boolean().default(false),
})
export type LedgerJob = z.infer<typeof LedgerJob>

/**
 * An act of staff on a lead or an application. The jobs that it created have its time as their `created_at`. Providers are
 * given by name.
 */
export const LedgerAct = z.object({
  at: z.iso.datetime(),
  /** As in the audit log. */
  actor: z.string(),
  actor_name: z.string().nullable(),
  action: LoggedAction,
  /** The provider after and before the act, if it changed the provider. */
  provider: z.string().nullable(),
  previous_provider: z.string().nullable(),
  /** Whether the act released a held lead. */
  released: z.boolean(),
  /** How the consent was given, if the act released a lead whose form does not prove one. */
  consent: ConfirmedConsent.nullable().default(null),
  /** The changed fields, and the new owner's name, if the act changed the work on a lead. */
  fields: z.array(z.string()).default([]),
  owner: z.string().nullable().default(null),
})
export type LedgerAct = z.infer<typeof LedgerAct>

/** A correction of a field of a lead by staff. Has the time of its act. */
export const LedgerEdit = z.object({
  at: z.iso.datetime(),
  actor: z.string(),
  actor_name: z.string().nullable(),
  field: z.enum(['first_name', 'last_name', 'email', 'phone', 'zip_code']),
  was: z.string(),
  became: z.string(),
})
export type LedgerEdit = z.infer<typeof LedgerEdit>

/** All jobs and acts of a lead or an application, and the outcomes and corrections of a lead, oldest first. */
export const Ledger = z.object({
  jobs: z.array(LedgerJob),
  acts: z.array(LedgerAct).default([]),
  outcomes: z.array(LeadOutcome).default([]),
  edits: z.array(LedgerEdit).default([]),
})
export type Ledger = z.infer<typeof Ledger>

/** The longest time that a call waits for a result, in seconds. Proxies wait longer for an answer. */
export const MAX_WAIT = 25

/** The query of the calls that retry the deliveries of one row. `wait` is the time to wait for the first attempts, in seconds. */
export const RetryQuery = z.object({
  wait: z.coerce.number<number>().int().min(0).max(MAX_WAIT, `A call waits for ${MAX_WAIT} seconds at most`).default(0),
})

/**
 * The answer of the calls that retry deliveries. `success` without `wait`: the retry is planned; with `wait`: all was
 * delivered or, if `waiting` is set, is retried later. `error` holds the error of a failed delivery.
 */
export const RetryAnswer = ActionAnswer.extend({
  waiting: z
    .object({
      error: z.string().nullable(),
      next_attempt_at: z.iso.datetime().nullable(),
      /** Whether it waits for the end of a pause of sending. */
      is_paused: z.boolean().optional(),
    })
    .optional(),
})
export type RetryAnswer = z.infer<typeof RetryAnswer>

/** The most jobs that one call can retry. */
export const MAX_JOBS = 50_000

const since = z.iso.datetime({ offset: true, error: 'Choose a time like 2026-11-20T09:00:00Z' })

/** Selects the jobs that failed permanently and were not retried. */
export const FailedJobsQuery = z.object({
  since: since.optional(),
  name: DeliveryName.optional(),
  cause: FailureCause.optional(),
})
export type FailedJobsQuery = z.output<typeof FailedJobsQuery>

const FailedJobCount = z.object({ total: z.number().int() })

/**
 * The body of `retryFailedJobs`. `expected` is the number that was shown before; the call fails if it has changed. Unknown
 * conditions are refused, because ignoring a misspelled one would select every job.
 */
export const RetryFailed = z.strictObject({
  since,
  name: DeliveryName.optional(),
  cause: FailureCause.optional(),
  expected: z.number().int().min(1),
})
export type RetryFailed = z.output<typeof RetryFailed>

export const countFailedJobs = defineCall({
  method: 'GET',
  path: '/api/jobs/failed',
  summary: 'Count the deliveries that have failed permanently since a time and were not retried.',
  access: 'viewer',
  input: { query: FailedJobsQuery },
  output: FailedJobCount,
})

/** A delivery of a lead. */
const DeliveryParams = RowParams.extend({ jobId: z.uuid() })

/** An email as it was sent, except that secrets are replaced: codes, and the tokens of links. */
export const SentEmail = z.object({
  to: z.string(),
  subject: z.string(),
  sent_at: z.iso.datetime(),
  /** The part in plain text. */
  text: z.string(),
})
export type SentEmail = z.infer<typeof SentEmail>

/** Replaces a secret in the copy of an email. */
export const SECRET_MARK = '•••'

export const getSentEmail = defineCall({
  method: 'GET',
  path: '/api/leads/:id/emails/:jobId',
  summary: 'Get an email about a lead as it was sent, without the secrets in it.',
  access: 'agent',
  input: { params: DeliveryParams },
  output: SentEmail,
})

export const showSentEmail = defineCall({
  method: 'GET',
  path: '/api/leads/:id/emails/:jobId/html',
  summary: 'Show the HTML part of an email about a lead as it was sent, without the secrets in it.',
  access: 'agent',
  input: { params: DeliveryParams },
  output: z.string(),
  type: 'text/html',
})

/** What the CRM was sent in the latest attempt at a delivery. */
export const SentPayload = z.object({ sent_at: z.iso.datetime(), payload: z.unknown() })
export type SentPayload = z.infer<typeof SentPayload>

export const getSentPayload = defineCall({
  method: 'GET',
  path: '/api/leads/:id/crm-payloads/:jobId',
  summary: 'Get the payload about a lead that was sent to the CRM.',
  access: 'manager',
  input: { params: DeliveryParams },
  output: SentPayload,
})
