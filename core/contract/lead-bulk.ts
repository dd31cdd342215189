import { z } from 'zod'
import { defineCall } from './call.ts'
import { RetryFailed, RetryQuery } from './jobs.ts'
import { AssignProvider } from './lead-match.ts'
import { LeadFilter } from './leads.ts'

/** The most leads that can be named by id. */
export const MAX_IDS = 1000
/** The most leads that one call can change. */
export const MAX_LEADS = 50_000
/** The most failures that a report lists. It counts all of them. */
export const MAX_FAILURES = 100

export const BulkAction = z.enum([
  'retry-sync',
  'retry-email',
  'assign-provider',
  'undo-match',
  'release',
  'delete',
  'restore',
])
export type BulkAction = z.infer<typeof BulkAction>
/** The actions that undo another one. */
export type BulkUndo = 'restore' | 'undo-match'

/**
 * The body of `changeLeads`. Leads are named by their ids, or by a filter and the number that was shown to match it; the
 * call fails if that number has changed. Unknown conditions are refused, because ignoring a misspelled one would select
 * every lead.
 */
export const LeadBulk = z
  .strictObject({
    action: BulkAction,
    ...AssignProvider.partial().shape,
    ids: z
      .array(z.number().int().positive().max(2_147_483_647))
      .min(1, 'Choose at least one lead')
      .max(MAX_IDS, `No more than ${MAX_IDS} leads can be named at once`)
      .optional(),
    filter: LeadFilter.strict().optional(),
    expected: z.number().int().min(1).optional(),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['ids'],
    message: 'Name the leads by ids or by a filter',
  })
  .refine(({ filter, expected }) => (filter === undefined) === (expected === undefined), {
    path: ['expected'],
    message: 'Say how many leads are expected to match the filter',
  })
  .refine(({ action, filter }) => (action !== 'restore' && action !== 'undo-match') || filter === undefined, {
    path: ['ids'],
    message: 'Name the leads by ids: only named leads can be undone',
  })
  .refine(({ action, providerId }) => (action === 'assign-provider') === (providerId !== undefined), {
    path: ['providerId'],
    message: 'Choose a provider',
  })
export type LeadBulk = z.output<typeof LeadBulk>

/** A progress line: `done` of `total` leads, of which `failed`. */
export const BulkProgress = z.object({ done: z.number().int(), total: z.number().int(), failed: z.number().int() })
export type BulkProgress = z.infer<typeof BulkProgress>

/**
 * The last line. `failures` lists up to `MAX_FAILURES` of the failed leads, each with its error. If the call waited for
 * results, failed deliveries count as failures, and `waiting` are retried later.
 */
export const BulkReport = z.object({
  succeeded: z.number().int(),
  failed: z.number().int(),
  waiting: z.number().int(),
  failures: z.array(z.object({ id: z.number().int(), name: z.string().nullable(), error: z.string() })),
})
export type BulkReport = z.infer<typeof BulkReport>

/** A line of the answer (NDJSON). */
export const BulkLine = z.union([BulkProgress, BulkReport])
export type BulkLine = z.infer<typeof BulkLine>

/** The last line of a retry. A failure names the lead, application, account or sync of its job. */
export const RetryReport = BulkReport.extend({
  failures: z.array(
    z.object({
      id: z.uuid(),
      lead_id: z.number().int().nullable(),
      application_id: z.number().int().nullable(),
      account_id: z.number().int().nullable(),
      /** The run of the provider sync that an e-mail is about, or that created a lead's job. */
      sync_id: z.number().int().nullable(),
      name: z.string().nullable(),
      error: z.string(),
    }),
  ),
})
export type RetryReport = z.infer<typeof RetryReport>

export const RetryLine = z.union([BulkProgress, RetryReport])
export type RetryLine = z.infer<typeof RetryLine>

export const changeLeads = defineCall({
  method: 'POST',
  path: '/api/leads/bulk',
  summary:
    'Apply an action to many leads. Each line of the answer is JSON: the progress, and at the end a report of the failures.',
  access: 'manager',
  input: { query: RetryQuery, body: LeadBulk },
  output: BulkLine,
  type: 'application/x-ndjson',
})

export const retryFailedJobs = defineCall({
  method: 'POST',
  path: '/api/jobs/retry-failed',
  summary:
    'Retry failed deliveries. Each line of the answer is JSON: the progress, and at the end a report of the failures.',
  access: 'manager',
  input: { query: RetryQuery, body: RetryFailed },
  output: RetryLine,
  type: 'application/x-ndjson',
})
