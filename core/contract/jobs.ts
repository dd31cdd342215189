import { z } from 'zod'
import { AuditAction } from './audit-log.ts'
import { ActionAnswer, defineCall } from './call.ts'

export const JobName = z.enum(['match-lead', 'send-email', 'sync-crm'])
export type JobName = z.infer<typeof JobName>

/** Why a job of that name exists: which e-mail, or which event the CRM is told. */
export const EmailPurpose = z.enum([
  'provider',
  'visitor',
  'team',
  'applicant',
  'passed_on',
  'new_clinic',
  'erased',
  'opted_out',
  'invitation',
  'reset',
  'password_changed',
  'new_browser',
  'new_factor',
  'factor_removed',
  'provider_changed',
])
export const LeadEmailPurpose = EmailPurpose.extract([
  'provider',
  'visitor',
  'team',
  'passed_on',
  'new_clinic',
  'opted_out',
])
export type LeadEmailPurpose = z.infer<typeof LeadEmailPurpose>
/** To each clinic that knows of a lead that was deleted for good: it is asked to delete what it got from us. */
export const ErasureEmailPurpose = EmailPurpose.extract(['erased'])
export type ErasureEmailPurpose = z.infer<typeof ErasureEmailPurpose>
export const ApplicationEmailPurpose = EmailPurpose.extract(['team', 'applicant'])
export type ApplicationEmailPurpose = z.infer<typeof ApplicationEmailPurpose>
/** To the owner of a staff account: a link to choose a password, or word of what happened to the account. */
export const AccountEmailPurpose = EmailPurpose.extract([
  'invitation',
  'reset',
  'password_changed',
  'new_browser',
  'new_factor',
  'factor_removed',
])
export type AccountEmailPurpose = z.infer<typeof AccountEmailPurpose>
/** About a run of the provider sync: to our team, and to each clinic of which it changed something sensitive. */
export const SyncEmailPurpose = EmailPurpose.extract(['team', 'provider_changed'])
export type SyncEmailPurpose = z.infer<typeof SyncEmailPurpose>
export const CrmPurpose = z.enum(['created', 'matched', 'opted_out', 'deleted'])
export type CrmPurpose = z.infer<typeof CrmPurpose>
/** The purposes of jobs that are done after their lead was deleted for good. */
export const AFTER_DELETION: string[] = ['deleted', 'erased'] satisfies (CrmPurpose | ErasureEmailPurpose)[]

export const JobState = z.enum(['waiting', 'enqueued', 'done', 'failed', 'cancelled'])
export type JobState = z.infer<typeof JobState>

/** The state of all deliveries of one kind. */
export const DeliveryStatus = z.enum(['pending', 'success', 'failed'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** Whom a lead is delivered to. `previous_clinic` had the lead before and is asked not to call. */
export const DeliveryTarget = z.enum(['crm', 'clinic', 'visitor', 'team', 'previous_clinic'])
export type DeliveryTarget = z.infer<typeof DeliveryTarget>

const Delivery = z
  .object({
    status: z.enum([...DeliveryStatus.options, 'retrying']).catch('pending'),
    next_attempt_at: z.iso.datetime().nullable().catch(null),
  })
  .optional()

/**
 * How far the deliveries to each of them are; those that nothing is sent to are left out. `retrying`: an attempt failed, and
 * the next one is due at `next_attempt_at`. A target that is not known here is left out as well, and such a status is
 * pending: one odd lead must not hide the whole list.
 */
export const Deliveries = z.object({
  crm: Delivery,
  clinic: Delivery,
  visitor: Delivery,
  team: Delivery,
  previous_clinic: Delivery,
} satisfies Record<DeliveryTarget, typeof Delivery>)
export type Deliveries = z.infer<typeof Deliveries>

/** Why a delivery failed. Set where the failure is found; the ledger, advice, metrics and overview follow it. */
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

/**
 * One attempt at a job. `running` while it is under way; `interrupted` when its worker was stopped in the middle, which
 * is no failure: the job is taken up again.
 */
export const JobAttempt = z.object({
  started_at: z.iso.datetime(),
  /** Milliseconds. */
  duration_ms: z.number().int().nullable(),
  outcome: z.enum(['running', 'interrupted', 'done', 'failed', 'cancelled']),
  /** The HTTP or SMTP status, where there was an answer. */
  status: z.number().int().nullable(),
  /** What went wrong, in our own words. */
  error: z.string().nullable(),
  cause: FailureCause.nullable().catch(null),
  /** What the other side said about it: up to 2,000 characters, which may name the visitor. */
  detail: z.string().nullable(),
  /** Of a failure after which it is tried again. */
  next_attempt_at: z.iso.datetime().nullable(),
})
export type JobAttempt = z.infer<typeof JobAttempt>

/** One row of the delivery ledger of a lead, an application or a staff account, as staff see it. */
export const LedgerJob = z.object({
  id: z.uuid(),
  name: JobName,
  purpose: z.string(),
  generation: z.number().int(),
  /** The address that an e-mail was sent to, or would be now; null where it is unknown, or the job sends none. */
  recipient: z.string().nullable(),
  state: JobState,
  attempts: z.number().int(),
  next_attempt_at: z.iso.datetime(),
  /** What went wrong at the last attempt, or why the job was cancelled, in our own words. */
  last_error: z.string().nullable(),
  last_cause: FailureCause.nullable().catch(null),
  /** What the other side said about it, as in an attempt. */
  last_detail: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  created_at: z.iso.datetime(),
  enqueued_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  /** The first one first. Attempts are forgotten before their job is. */
  attempt_log: z.array(JobAttempt),
  /** What to do about a failure: a sentence or two. */
  advice: z.string().nullable(),
})
export type LedgerJob = z.infer<typeof LedgerJob>

/**
 * What staff did to a lead or an application. The jobs that an act made have its time as their `created_at`. Clinics are
 * told by their names.
 */
export const LedgerAct = z.object({
  at: z.iso.datetime(),
  /** As in the audit log. */
  actor: z.string(),
  actor_name: z.string().nullable(),
  action: AuditAction,
  /** Who has the lead since, and who had it before, where the act changed that. */
  provider: z.string().nullable(),
  previous_provider: z.string().nullable(),
  /** The lead was held until then. */
  released: z.boolean(),
})
export type LedgerAct = z.infer<typeof LedgerAct>

/** Everything that was, is or will be done for a lead or an application, and by whom, oldest first. */
export const Ledger = z.object({ jobs: z.array(LedgerJob), acts: z.array(LedgerAct).default([]) })
export type Ledger = z.infer<typeof Ledger>

/** The longest that a call waits for an outcome, in seconds: less than any proxy waits for us. */
export const MAX_WAIT = 25

/**
 * The query of the calls that try something again. They answer at once, or with `wait`, in seconds, once the first attempts
 * have ended. A call that acts on many waits so long without any news.
 */
export const RetryQuery = z.object({
  wait: z.coerce.number<number>().int().min(0).max(MAX_WAIT, `A call waits for ${MAX_WAIT} seconds at most`).default(0),
})

/**
 * The answer of the calls that try something again. Without `wait`, `success` says that it will be tried. With it, that it
 * was delivered; or, where `waiting` is there, that it is tried (again) later, with what went wrong so far. Otherwise
 * `error` is what was answered.
 */
export const RetryAnswer = ActionAnswer.extend({
  waiting: z.object({ error: z.string().nullable(), next_attempt_at: z.iso.datetime().nullable() }).optional(),
})
export type RetryAnswer = z.infer<typeof RetryAnswer>

/** Jobs that one call can make again. */
export const MAX_JOBS = 50_000

const since = z.iso.datetime({ offset: true, error: 'Choose a time like 2026-11-20T09:00:00Z' })

/** What failed for good since a moment and was not retried. Without `name`, of every kind; without `cause`, for any. */
export const FailedJobsQuery = z.object({
  since: since.optional(),
  name: JobName.optional(),
  cause: FailureCause.optional(),
})
export type FailedJobsQuery = z.output<typeof FailedJobsQuery>

/** How many there are. */
export const FailedJobCount = z.object({ total: z.number().int() })
export type FailedJobCount = z.infer<typeof FailedJobCount>

/**
 * The body of `POST /api/jobs/retry-failed`. `expected` is what was counted, so that nobody does what he has not seen.
 * Nothing unknown is ignored here: a condition that is misspelt would mean every job.
 */
export const RetryFailed = z.strictObject({
  since,
  name: JobName.optional(),
  cause: FailureCause.optional(),
  expected: z.number().int().min(1),
})
export type RetryFailed = z.output<typeof RetryFailed>

export const countFailedJobs = defineCall({
  method: 'GET',
  path: '/api/jobs/failed',
  summary: 'How many deliveries have failed for good since a moment, and were not retried.',
  access: 'viewer',
  input: { query: FailedJobsQuery },
  output: FailedJobCount,
})
