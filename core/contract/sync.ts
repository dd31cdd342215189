import { z } from 'zod'
import { ActionAnswer, defineCall, PageQuery, RowParams } from './call.ts'

/** What started a run: a person in the dashboard, the clock, or `npm run sync`. */
export const SyncTrigger = z.enum(['staff', 'schedule', 'command'])
export type SyncTrigger = z.infer<typeof SyncTrigger>

/**
 * - `waiting`: for a worker. `running`: pages are being read. At most one run of all is running.
 * - `needs_approval`: it would have changed where too many leads go at once (`ApprovalReason`), so it has changed nothing.
 *   A manager may approve it, which starts another run.
 * - `done`: every page was read and applied (of a dry run: compared).
 * - `failed`: it has changed nothing, and `error` says why.
 */
export const SyncState = z.enum(['waiting', 'running', 'needs_approval', 'done', 'failed'])
export type SyncState = z.infer<typeof SyncState>

/**
 * A kind of change that decides where leads and visitors go, and how many such changes a run makes. More of a kind than
 * the larger of three and ten percent of the active providers need approval, and so does any change of a domain that a
 * provider already has. The first sync of an empty network may create every provider.
 */
export const SensitiveKind = z.enum(['email', 'domain', 'phone', 'deactivate', 'reactivate', 'create'])
export type SensitiveKind = z.infer<typeof SensitiveKind>
export const ApprovalReason = z.object({ kind: SensitiveKind, count: z.number().int() })
export type ApprovalReason = z.infer<typeof ApprovalReason>

/** What a run did; of a dry run, or one that needs approval, what it would have done. */
export const SyncCounts = z.object({
  /** Posts that were read, the skipped ones among them. */
  seen: z.number().int(),
  created: z.number().int(),
  /** Active or not before and after, with other fields. */
  updated: z.number().int(),
  deactivated: z.number().int(),
  /** Active again; their fields may have changed as well. */
  reactivated: z.number().int(),
  unchanged: z.number().int(),
  /** Posts that could not be used: `SyncRunDetails` names them. */
  skipped: z.number().int(),
  /** Posts that WordPress counts but does not let us read. */
  unreadable: z.number().int(),
  /** Active providers that WordPress has no more, and that stay active until they were missing in three runs. */
  missing: z.number().int(),
})
export type SyncCounts = z.infer<typeof SyncCounts>

/** One run of the provider sync. Times are ISO 8601. */
export const SyncRun = z.object({
  id: z.number().int(),
  /** Compares, and changes nothing. */
  dry_run: z.boolean(),
  trigger: SyncTrigger,
  /** The e-mail of an account, `staff` for the shared password, `command line`; null for the clock. */
  started_by: z.string().nullable(),
  /** Of the account. */
  started_by_name: z.string().nullable(),
  state: SyncState,
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  /** Pages of posts that were read, of so many; null until WordPress has said how many. */
  pages_done: z.number().int(),
  pages_total: z.number().int().nullable(),
  counts: SyncCounts,
  /**
   * Why the run needs approval, the most dangerous reason first; empty where it needs none. Also set of runs that were
   * approved, and of dry runs that would need approval.
   */
  approval_reasons: z.array(ApprovalReason),
  /** The run that was approved by starting this one. */
  approves: z.number().int().nullable(),
  /** Whether `POST /api/sync-runs/{id}/approve` would be taken now. */
  can_be_approved: z.boolean(),
  /** The run that was started by approving this one, unless that failed. */
  approved: z
    .object({
      id: z.number().int(),
      trigger: SyncTrigger,
      started_by: z.string().nullable(),
      started_by_name: z.string().nullable(),
      created_at: z.iso.datetime(),
    })
    .nullable(),
  /** Leads without a provider that are looked at again, and how many of them have got one by now. */
  leads_queued: z.number().int(),
  leads_matched: z.number().int(),
  /**
   * Leads from before that moment that still wait for a provider and have one in reach: too old to be matched by itself.
   * `GET /api/leads` lists them by `asked_by_sync`.
   */
  old_leads: z.number().int(),
  old_leads_before: z.iso.datetime().nullable(),
  /** Why it failed or needs approval, in a sentence. */
  error: z.string().nullable(),
})
export type SyncRun = z.infer<typeof SyncRun>

export const SyncChangeKind = z.enum(['create', 'update', 'deactivate', 'reactivate'])
export type SyncChangeKind = z.infer<typeof SyncChangeKind>

const FieldValue = z.union([z.string(), z.number(), z.boolean()]).nullable()

/** What happens to one provider. */
export const SyncChange = z.object({
  kind: SyncChangeKind,
  wordpress_id: z.number().int(),
  /** Null for one that is to be created. */
  provider_id: z.number().int().nullable(),
  name: z.string(),
  zipCode: z.string(),
  /** Why it is deactivated: its post says so, or it was missing in three runs. */
  reason: z.enum(['inactive', 'missing']).nullable(),
  /** By the name of the provider's field, without `status`. Of one that is to be created: e-mail, phone and domain. */
  fields: z.array(z.object({ field: z.string(), from: FieldValue, to: FieldValue })),
  /** The clinic's address in use before, which is told of the change by e-mail; absent where nothing sensitive changed. */
  told: z.string().optional(),
})
export type SyncChange = z.infer<typeof SyncChange>

/** A post that could not be used, with the reason in a sentence. The provider that was made of it stays as it is. */
export const SkippedPost = z.object({
  wordpress_id: z.number().int().nullable(),
  title: z.string(),
  reason: z.string(),
})
export type SkippedPost = z.infer<typeof SkippedPost>

/**
 * Changes and skipped posts of a run that are kept and shown, each; but every sensitive change is, because a manager
 * approves them all. The counts count all.
 */
export const MAX_LISTED = 500

export const SyncRunDetails = SyncRun.extend({
  /** What is sensitive first, in the order of `SensitiveKind`. */
  changes: z.array(SyncChange),
  skipped: z.array(SkippedPost),
})
export type SyncRunDetails = z.infer<typeof SyncRunDetails>

/** How the sync stands. */
export const SyncStatus = z.object({
  /** Whether a WordPress site is connected (`WORDPRESS_URL`). */
  is_configured: z.boolean(),
  /** When it runs by itself, as a cron expression in the network's time zone; null: never. */
  schedule: z.string().nullable(),
  /** When that is the next time; null before the first sync that was applied, which is a person's. */
  next_at: z.iso.datetime().nullable(),
  /** The run that is under way: running, or else waiting. */
  current: SyncRun.nullable(),
  /** The end of the last run that was applied; null: there was none yet, so show a dry run first. */
  last_success_at: z.iso.datetime().nullable(),
  /** The last two times of the schedule have passed without a run that was applied, or none ever was. */
  is_overdue: z.boolean(),
  /** The last run that waits for a person's word, though others may have failed since; null once one was applied. */
  needs_approval: z.number().int().nullable(),
})
export type SyncStatus = z.infer<typeof SyncStatus>

export const SYNC_RUNS_PER_PAGE = 10

/** The query of `GET /api/sync-runs`. */
export const SyncRunListQuery = PageQuery(SYNC_RUNS_PER_PAGE)
export type SyncRunListQuery = z.output<typeof SyncRunListQuery>

/** The newest first; `total` counts all that are kept. */
export const SyncRunList = z.object({ runs: z.array(SyncRun), total: z.number().int(), status: SyncStatus })
export type SyncRunList = z.infer<typeof SyncRunList>

/**
 * The answer of the calls that start or join a run: how it ended, within 25 seconds. After that, and when the server is
 * being stopped, the status is 202, `success` is false, `error` says that the run goes on, and `run` is how far it is.
 */
export const SyncAnswer = ActionAnswer.extend({ run: SyncRun })
export type SyncAnswer = z.infer<typeof SyncAnswer>

export const startSync = defineCall({
  method: 'POST',
  path: '/api/sync',
  summary:
    'Read the providers from WordPress: starts a run, or joins the one that is under way, and waits for its end.',
  access: 'manager',
  output: SyncAnswer,
})

export const startDryRun = defineCall({
  method: 'POST',
  path: '/api/sync/dry-run',
  summary: 'Find out what a sync would change, without changing it. Waits for the end.',
  access: 'manager',
  output: SyncAnswer,
})

export const listSyncRuns = defineCall({
  method: 'GET',
  path: '/api/sync-runs',
  summary: 'The runs of the provider sync, the newest first, and how the sync stands.',
  access: 'viewer',
  input: { query: SyncRunListQuery },
  output: SyncRunList,
})

export const getSyncRun = defineCall({
  method: 'GET',
  path: '/api/sync-runs/:id',
  summary: 'One run of the provider sync, with what it changed and what it skipped.',
  access: 'viewer',
  input: { params: RowParams },
  output: SyncRunDetails,
})

export const approveSyncRun = defineCall({
  method: 'POST',
  path: '/api/sync-runs/:id/approve',
  summary: 'Sync again, and make the sensitive changes that this run would have made. Waits for the end.',
  access: 'manager',
  input: { params: RowParams },
  output: SyncAnswer,
})
