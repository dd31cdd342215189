import { z } from 'zod'
import { defineCall, RowId } from '../../contract/call.ts'
import { RetryFailed } from '../../deliveries/contract/jobs.ts'
import { purposesOf } from '../../deliveries/jobs.ts'
import { AssignProvider, LeadWorkChange } from '../../leads/contract/lead-changes.ts'
import { LeadFilter } from '../../leads/contract/leads.ts'
import { StaffAnswer } from '../../leads/contract/outcomes.ts'

/** The most leads that can be named by id. */
export const MAX_IDS = 1000
/** The most leads that one call can change. */
export const MAX_LEADS = 50_000
/** The most failures that a report lists. It counts all of them. */
export const MAX_FAILURES = 100

export const BulkPurpose = z.enum(purposesOf('bulk'))
/** An action on many leads, or the retry of many failed deliveries. */
export type BulkPurpose = z.infer<typeof BulkPurpose>
export const BulkAction = BulkPurpose.exclude(['retry-failed'])
export type BulkAction = z.infer<typeof BulkAction>
export type BulkUndo = 'restore' | 'undo-match'

const ProviderId = AssignProvider.shape.providerId

/** The parts of the body that one action alone takes: whether it needs them, and what is said otherwise. */
const PARTS = [
  ['providerId', 'assign-provider', 'needed', 'Choose a provider'],
  ['outcome', 'record-outcome', 'needed', 'Choose an outcome'],
  ['work', 'change-work', 'needed', 'Choose an owner or a tag'],
  ['waiting_at', 'pass-on', 'optional', 'Only passing on depends on the answer of a clinic'],
  ['to_clinic', 'retry-email', 'optional', 'Only emails go to a clinic'],
] as const

/**
 * The body of `changeLeads`. Leads are named by their ids, or by a filter and the number that was shown to match it; the
 * call fails if that number has changed. Unknown conditions are refused, because ignoring a misspelled one would select
 * every lead.
 */
export const LeadBulk = z
  .strictObject({
    action: BulkAction,
    providerId: ProviderId.optional(),
    outcome: StaffAnswer.optional(),
    /** What `change-work` sets on each lead. */
    work: LeadWorkChange.pick({ owner_id: true, add_tag: true, remove_tag: true }).strict().optional(),
    /** Passes on only the leads that this clinic still has and has not answered. */
    waiting_at: ProviderId.optional(),
    /** Sends only the emails to this clinic again that have not arrived. */
    to_clinic: ProviderId.optional(),
    ids: z
      .array(RowId)
      .min(1, 'Choose at least one lead')
      .max(MAX_IDS, `No more than ${MAX_IDS} leads can be named at once`)
      .optional(),
    filter: LeadFilter.strict().optional(),
    expected: z.number().int().min(1).optional(),
  })
  .superRefine((body, context) => {
    const { action, ids, filter, expected } = body
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if ((ids === undefined) === (filter === undefined)) refuse('ids', 'Name the leads by ids or by a filter')
    if ((filter === undefined) !== (expected === undefined)) {
      refuse('expected', 'Say how many leads are expected to match the filter')
    }
    if ((action === 'restore' || action === 'undo-match') && filter) {
      refuse('ids', 'Name the leads by ids: only named leads can be undone')
    }
    for (const [part, of, need, message] of PARTS) {
      const isGiven = body[part] !== undefined
      if (action === of ? need === 'needed' && !isGiven : isGiven) refuse(part, message)
    }
  })
export type LeadBulk = z.output<typeof LeadBulk>

/** The progress of a bulk action, in rows. A row whose deliveries are retried is done after their first attempts. */
export const BulkProgress = z.object({ done: z.number().int(), total: z.number().int(), failed: z.number().int() })
export type BulkProgress = z.infer<typeof BulkProgress>

/**
 * The report of a bulk action that has ended. `failures` lists up to `MAX_FAILURES` of the failed rows, each with its
 * error and what it is about; `name` is that of a lead. Refused deliveries count as
 * failures, and `waiting` are retried later.
 */
export const BulkReport = z.object({
  succeeded: z.number().int(),
  failed: z.number().int(),
  waiting: z.number().int(),
  failures: z.array(
    z.object({
      /** The place of the row in the list, from 0. */
      position: z.number().int(),
      lead_id: z.number().int().nullable(),
      /** What a retried delivery is about, like `application:7`; null where that is many rows. */
      subject: z.string().nullable().default(null),
      name: z.string().nullable(),
      error: z.string(),
    }),
  ),
})
export type BulkReport = z.infer<typeof BulkReport>

/** A bulk action: a job of the ledger. `failed` means that it was given up; some rows may have been changed. */
export const Bulk = z.object({
  id: z.uuid(),
  action: BulkPurpose,
  state: z.enum(['running', 'done', 'failed']),
  progress: BulkProgress,
  /** Set once it is done. */
  report: BulkReport.nullable(),
})
export type Bulk = z.infer<typeof Bulk>

/** The answer of the calls that start a bulk action. `ids`: its leads, if they can be named to undo it. */
const BulkStarted = z.object({ id: z.uuid(), ids: z.array(z.number().int()).optional() })

export const changeLeads = defineCall({
  method: 'POST',
  path: '/api/leads/bulk',
  summary: 'Apply an action to many leads, in the background. Answers with the id of the bulk action.',
  access: 'manager',
  input: { body: LeadBulk },
  output: BulkStarted,
  status: 202,
})

export const retryFailedJobs = defineCall({
  method: 'POST',
  path: '/api/jobs/retry-failed',
  summary: 'Retry failed deliveries, in the background. Answers with the id of the bulk action.',
  access: 'manager',
  input: { body: RetryFailed },
  output: BulkStarted,
  status: 202,
})

export const listBulk = defineCall({
  method: 'GET',
  path: '/api/bulk',
  summary: 'List the bulk actions of the caller that are not done, the newest first.',
  access: 'manager',
  output: z.object({ running: z.array(Bulk) }),
})

export const readBulk = defineCall({
  method: 'GET',
  path: '/api/bulk/:id',
  summary: 'Read the progress of a bulk action, and its report once it is done.',
  access: 'manager',
  input: { params: z.object({ id: z.uuid() }) },
  output: Bulk,
})
