import { z } from 'zod'
import { ActionAnswer, defineCall, PageQuery, RowParams } from '../../contract/call.ts'

/** The trigger of a run: staff in the dashboard, the schedule, or the command line of an earlier release. */
export const SyncTrigger = z.enum(['staff', 'schedule', 'command'])
export type SyncTrigger = z.infer<typeof SyncTrigger>

/**
 * - `waiting`: waits for a worker. `running`: reads pages. At most one run is running.
 * - `needs_approval`: has changed nothing, because it would make too many sensitive changes (`ApprovalReason`). The
 *   approval of a manager starts another run.
 * - `done`: all pages were read and applied; in a dry run, compared.
 * - `failed`: has changed nothing. `error` holds the reason.
 */
const SyncState = z.enum(['waiting', 'running', 'needs_approval', 'done', 'failed'])

/**
 * The kinds of changes that decide where leads and visitors go. More than three changes of a kind within a day, or than ten
 * percent of the active providers if that is more, need approval. So does any change of an existing domain. The first sync
 * of an empty network may create every provider. `place`: moved by more than five miles. `website`: another host.
 */
export const SensitiveKind = z.enum([
  'email',
  'domain',
  'place',
  'phone',
  'website',
  'address',
  'name',
  'deactivate',
  'reactivate',
  'create',
])
export type SensitiveKind = z.infer<typeof SensitiveKind>
/** `earlier`: unapproved changes of the kind that other runs made within the last day, if the run alone has not too many. */
export const ApprovalReason = z.object({
  kind: SensitiveKind,
  count: z.number().int(),
  earlier: z.number().int().optional(),
})
export type ApprovalReason = z.infer<typeof ApprovalReason>

/** The changes of a run. For a dry run or one that needs approval: the changes that it would make. */
export const SyncCounts = z.object({
  /** Posts that were read, including skipped ones. */
  seen: z.number().int(),
  created: z.number().int(),
  /** Providers with changed fields and the same status. */
  updated: z.number().int(),
  deactivated: z.number().int(),
  /** Active again. Their fields may have changed too. */
  reactivated: z.number().int(),
  unchanged: z.number().int(),
  /** Posts that could not be used. `SyncRunDetails` lists them. */
  skipped: z.number().int(),
  /** Posts that WordPress counts but does not return. */
  unreadable: z.number().int(),
  /** Active providers without a post. They stay active until they are missing in three runs. */
  missing: z.number().int(),
})
export type SyncCounts = z.infer<typeof SyncCounts>

/** One run of the provider sync. Times are ISO 8601. */
export const SyncRun = z.object({
  id: z.number().int(),
  /** A dry run compares and changes nothing. */
  dry_run: z.boolean(),
  trigger: SyncTrigger,
  /** The email of an account, `staff` for the shared password, `command line`; null for the schedule. */
  started_by: z.string().nullable(),
  started_by_name: z.string().nullable(),
  state: SyncState,
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  /** Pages of posts: read, and in total. The total is null until the first page is read. */
  pages_done: z.number().int(),
  pages_total: z.number().int().nullable(),
  counts: SyncCounts,
  /**
   * The reasons for which the run needs approval, most dangerous first. Also set for runs that were approved, and for dry
   * runs that would need approval.
   */
  approval_reasons: z.array(ApprovalReason),
  /** The run whose approval started this one. */
  approves: z.number().int().nullable(),
  /** Whether `approveSyncRun` would succeed now. */
  can_be_approved: z.boolean(),
  /** The run that the approval of this one started, unless it failed. */
  approved: z
    .object({
      id: z.number().int(),
      trigger: SyncTrigger,
      started_by: z.string().nullable(),
      started_by_name: z.string().nullable(),
      created_at: z.iso.datetime(),
    })
    .nullable(),
  /** Unmatched leads that are matched again, and the number that have a provider by now. */
  leads_queued: z.number().int(),
  leads_matched: z.number().int(),
  /**
   * Unmatched leads from before `old_leads_before` with a provider in reach, too old to be matched automatically.
   * `listLeads` selects them by `asked_by_sync`.
   */
  old_leads: z.number().int(),
  old_leads_before: z.iso.datetime().nullable(),
  /** The reason of a failure or a needed approval, as a sentence. */
  error: z.string().nullable(),
})
export type SyncRun = z.infer<typeof SyncRun>

export const SyncChangeKind = z.enum(['create', 'update', 'deactivate', 'reactivate'])
export type SyncChangeKind = z.infer<typeof SyncChangeKind>

const FieldValue = z.union([z.string(), z.number(), z.boolean()]).nullable()

export const SyncChange = z.object({
  kind: SyncChangeKind,
  wordpress_id: z.number().int(),
  /** Null for a provider to be created. */
  provider_id: z.number().int().nullable(),
  name: z.string(),
  zipCode: z.string(),
  /** The reason of a deactivation: the status of its post, or missing in three runs. */
  reason: z.enum(['inactive', 'missing']).nullable(),
  /** The changed fields without `status`. For a provider to be created: email, phone and domain. */
  fields: z.array(z.object({ field: z.string(), from: FieldValue, to: FieldValue })),
  /** How far the provider has moved; null if its old or new place is unknown. Absent if it stays, or moves less than five miles. */
  moved_miles: z.number().nullable().optional(),
  /**
   * The previous email address, which is notified of a sensitive change; the own address of a new provider, which is asked to
   * confirm. Absent without one.
   */
  recipient: z.string().optional(),
})
export type SyncChange = z.infer<typeof SyncChange>

/**
 * A post that could not be used, with the reason as a sentence; its provider stays unchanged. Or one that was used without a
 * value that cannot be right.
 */
export const SkippedPost = z.object({
  wordpress_id: z.number().int().nullable(),
  title: z.string(),
  reason: z.string(),
})
export type SkippedPost = z.infer<typeof SkippedPost>

/**
 * The most changes, and the most skipped posts, that are stored for a run. Sensitive changes are always stored, because a
 * manager approves them all.
 */
export const MAX_LISTED = 500

/**
 * The effect of the deactivations of a run on leads, by those that its providers took in the last `days`. Each would go to
 * the nearest other active provider within the radius of matching, at which caps, pauses and rules are not looked at.
 */
export const SyncImpact = z.object({
  providers: z.number().int(),
  days: z.number().int(),
  leads: z.number().int(),
  zips: z.number().int(),
  elsewhere: z.number().int(),
  unmatched: z.number().int(),
  /** The median of the additional miles of those that would go elsewhere; null without any. */
  extra_miles: z.number().nullable(),
})
export type SyncImpact = z.infer<typeof SyncImpact>

export const SyncRunDetails = SyncRun.extend({
  /** Sensitive changes first, in the order of `SensitiveKind`. */
  changes: z.array(SyncChange),
  skipped: z.array(SkippedPost),
  /** Posts that were used without a value that cannot be right. */
  doubts: z.array(SkippedPost).default([]),
  /** Null unless it would deactivate so many providers that a manager has to approve it. */
  impact: SyncImpact.nullable().default(null),
})
export type SyncRunDetails = z.infer<typeof SyncRunDetails>

export const SyncStatus = z.object({
  /** Whether a WordPress site is connected (`WORDPRESS_URL`). */
  is_configured: z.boolean(),
  /** A cron expression in the network's time zone; null if the sync has no schedule. */
  schedule: z.string().nullable(),
  /** The next scheduled run; null before the first applied sync, which staff start. */
  next_at: z.iso.datetime().nullable(),
  /** The running run, or else the waiting one. */
  current: SyncRun.nullable(),
  /** The end of the last applied run; null if there was none, so that a dry run is offered first. */
  last_success_at: z.iso.datetime().nullable(),
  /** The last two scheduled times have passed without an applied run. Before the first sync, none is overdue. */
  is_overdue: z.boolean(),
  /** The last run that waits for approval; null if a later one was applied. */
  needs_approval: z.number().int().nullable(),
})
export type SyncStatus = z.infer<typeof SyncStatus>

export const SYNC_RUNS_PER_PAGE = 10

export const SyncRunListQuery = PageQuery(SYNC_RUNS_PER_PAGE)
export type SyncRunListQuery = z.output<typeof SyncRunListQuery>

/** Newest first. `total` counts all stored runs. */
export const SyncRunList = z.object({ runs: z.array(SyncRun), total: z.number().int(), status: SyncStatus })
export type SyncRunList = z.infer<typeof SyncRunList>

/**
 * The answer of the calls that start or join a run: its result within 25 seconds. After that, or if the server stops, the
 * status is 202, `success` is false, `error` says that the run goes on, and `run` holds its progress.
 */
export const SyncAnswer = ActionAnswer.extend({ run: SyncRun })
export type SyncAnswer = z.infer<typeof SyncAnswer>

export const startSync = defineCall({
  method: 'POST',
  path: '/api/sync',
  summary:
    'Sync the providers from WordPress. Starts a run or joins the current one, and waits for its end. A dry run compares and changes nothing.',
  access: 'manager',
  input: { query: z.object({ dryRun: z.union([z.boolean(), z.stringbool()]).optional() }) },
  output: SyncAnswer,
})

export const listSyncRuns = defineCall({
  method: 'GET',
  path: '/api/sync-runs',
  summary: 'List the runs of the provider sync, newest first, and its state.',
  access: 'viewer',
  input: { query: SyncRunListQuery },
  output: SyncRunList,
})

export const getSyncRun = defineCall({
  method: 'GET',
  path: '/api/sync-runs/:id',
  summary:
    'Get a run of the provider sync, with its changes and the skipped posts, and what an approval would do to leads.',
  access: 'viewer',
  input: { params: RowParams },
  output: SyncRunDetails,
})

export const approveSyncRun = defineCall({
  method: 'POST',
  path: '/api/sync-runs/:id/approve',
  summary: 'Approve a run: sync again with its sensitive changes, and wait for the end.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams },
  output: SyncAnswer,
})
