import { z } from 'zod'
import { defineCall } from './call.ts'
import { RetryFailed, RetryQuery } from './jobs.ts'
import { AssignProvider, LeadFilter } from './leads.ts'

/** Leads that can be named one by one. */
export const MAX_IDS = 1000
/** Leads that one call can change. */
export const MAX_LEADS = 50_000
/** Failures that a report names; it counts them all. */
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
/** What undoes another one. */
export type BulkUndo = 'restore' | 'undo-match'

/**
 * The body of `POST /api/leads/bulk`: what to do to which leads. They are named by their ids, or by a filter and the
 * number that is expected to match it, so that nobody changes what he has not seen. Nothing unknown is ignored here: a
 * condition that is misspelt would mean every lead.
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

/** A line of the answer while it goes on: `done` of `total` leads, `failed` of them in vain. */
export const BulkProgress = z.object({ done: z.number().int(), total: z.number().int(), failed: z.number().int() })
export type BulkProgress = z.infer<typeof BulkProgress>

/**
 * The last line. A lead that is not done is in `failures`, each with a sentence, up to `MAX_FAILURES` of them. Where the
 * call waited for outcomes, what was refused has failed as well, and `waiting` is tried (again) later.
 */
export const BulkReport = z.object({
  succeeded: z.number().int(),
  failed: z.number().int(),
  waiting: z.number().int(),
  failures: z.array(z.object({ id: z.number().int(), name: z.string().nullable(), error: z.string() })),
})
export type BulkReport = z.infer<typeof BulkReport>

/** Each line of the answer is one of these as JSON (NDJSON). */
export const BulkLine = z.union([BulkProgress, BulkReport])
export type BulkLine = z.infer<typeof BulkLine>

/** The last line where jobs are made again. A failure names the lead, application, account or sync whose job it is. */
export const RetryReport = BulkReport.extend({
  failures: z.array(
    z.object({
      id: z.uuid(),
      lead_id: z.number().int().nullable(),
      application_id: z.number().int().nullable(),
      account_id: z.number().int().nullable(),
      /** The run of the provider sync that an e-mail tells of; of a lead's job, the run by which it was made. */
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
  summary: 'Do the same to many leads. Each line of the answer is JSON: how far it is, and at the end what failed.',
  access: 'manager',
  input: { query: RetryQuery, body: LeadBulk },
  output: BulkLine,
  type: 'application/x-ndjson',
})

export const retryFailedJobs = defineCall({
  method: 'POST',
  path: '/api/jobs/retry-failed',
  summary: 'Retry all of them. Each line of the answer is JSON: how far it is, and at the end what failed.',
  access: 'manager',
  input: { query: RetryQuery, body: RetryFailed },
  output: RetryLine,
  type: 'application/x-ndjson',
})
