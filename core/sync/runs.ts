import type { Changes } from '../contract/events.ts'
import { DAY } from '../contract/time.ts'
import { columnsOf } from '../deliveries/jobs.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import { listOldLeads, matchWaitingLeads } from '../leads/pass-on.ts'
import { WAITING_DAYS } from '../leads/rules/matching.ts'
import * as answerClocks from '../leads/stores/answer-clocks.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import * as clinicPeople from '../providers/stores/clinic-people.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { MAX_LISTED, type SyncChange, type SyncRun, type SyncTrigger } from './contract/sync.ts'
import { reasonsFor, refusalOf, type SensitiveChange, sensitiveIn, withoutApproved } from './rules/sync-approval.ts'
import { planSync, type SyncPlan, unactivatedBy, withoutDoubtfulPlaces } from './rules/sync-plan.ts'
import type { WordPressPosts } from './rules/wordpress-mapping.ts'
import * as providerSync from './stores/provider-sync.ts'
import { get, OPEN, SYNC_JOB } from './stores/sync-runs.ts'

/**
 * A begun run. A later beginning of the same run has a higher `attempt`, and this worker has then lost the run: every
 * write of a worker has the number as its condition, so that two workers never both apply a run.
 */
export type BegunRun = { id: number; attempt: number; dryRun: boolean }
export type Progress = { pagesDone: number; pagesTotal: number | null }

/** A run whose worker died this many times has failed. */
const MAX_ATTEMPTS = 3

/** Another worker has begun the run, or it is gone: this worker must not write for it. */
export class LostRun extends Error {
  override name = 'LostRun'
}

/**
 * Begins an open run. Its earlier worker, if there is one, loses it.
 * @returns `busy` while another run is running, and `ended` when the run has ended, also because its worker died too often
 */
export async function beginSync(db: Db, id: number): Promise<BegunRun | 'busy' | 'ended'> {
  try {
    return await db.transaction(async (trx) => {
      const open = await trx('provider_syncs').where({ id }).whereIn('state', OPEN).forUpdate().first('attempt')
      if (!open) return 'ended'
      if (open.attempt >= MAX_ATTEMPTS) {
        const error = 'The worker stopped three times during this sync. Nothing was changed.'
        await trx('provider_syncs')
          .where({ id })
          .update(ended(trx, 'failed', error))
        await announceEnd(trx, id)
        return 'ended'
      }
      const begun = await trx('provider_syncs')
        .where({ id })
        .update({
          state: 'running',
          attempt: open.attempt + 1,
          started_at: trx.raw('coalesce(started_at, now())'),
          pages_done: 0,
          pages_total: null,
        })
        .returning(['attempt', 'dry_run'])
      const { attempt, dry_run: dryRun } = only(begun)
      await changes.announce(trx, { syncs: [id] })
      return { id, attempt, dryRun }
    })
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'provider_syncs_running_key') return 'busy'
    throw error
  }
}

/** Records the progress of a run, and that it is alive. @throws LostRun */
export async function recordProgress(db: Db, run: BegunRun, { pagesDone, pagesTotal }: Progress): Promise<void> {
  if ((await own(db, run).update({ pages_done: pagesDone, pages_total: pagesTotal })) === 0) throw new LostRun()
  await changes.announce(db, { syncs: [run.id] })
}

/** Gives the run back, for another worker. This attempt does not count. */
export async function handBackSync(db: Db, run: BegunRun): Promise<void> {
  await own(db, run).update({ state: 'waiting', attempt: run.attempt - 1 })
  await changes.announce(db, { syncs: [run.id] })
}

/** Ends the run with the reason why it changed nothing. */
export async function failSync(db: Db, run: BegunRun, error: string): Promise<void> {
  await db.transaction(async (trx) => {
    if ((await own(trx, run).update(ended(trx, 'failed', error))) > 0) await announceEnd(trx, run.id)
  })
}

/** Queries the row of the run, as long as this worker has it. */
function own(db: Db, { id, attempt }: BegunRun) {
  return db('provider_syncs').where({ id, attempt, state: 'running' })
}

function ended(db: Db, state: 'done' | 'failed' | 'needs_approval', error: string | null) {
  return { state, error, finished_at: db.fn.now() }
}

/**
 * Announces the end of a run, and adds the jobs of runs that waited for it. The job of the run is settled here if the
 * queue does not have it, as after a run of the command line.
 */
async function announceEnd(trx: Transaction, id: number, changed: Changes = {}): Promise<void> {
  await trx('jobs')
    .where({ ...columnsOf(`sync:${id}`), ...SYNC_JOB, state: 'waiting' })
    .update({ state: 'done', finished_at: trx.fn.now() })
  // A locked run is being begun at this moment.
  const waiting: number[] = await trx('provider_syncs').where('state', 'waiting').forUpdate().skipLocked().pluck('id')
  for (const syncId of waiting) await jobs.add(trx, `sync:${syncId}`, [SYNC_JOB])
  await changes.announce(trx, { ...changed, syncs: [id] })
}

/** A run to start. `scheduledFor` is the minute of the schedule. */
type NewSync = {
  trigger: SyncTrigger
  /** For the audit log; null for the schedule. */
  actor: string | null
  dryRun?: boolean
  /** The run whose sensitive changes are approved; `all`: every deactivation, and nothing else. */
  approves?: number | 'all'
  scheduledFor?: Date
}

/**
 * Starts a run, or joins the open one of the same kind: a dry run or not.
 * @returns its id; null when the schedule's run was started already
 */
export async function startSync(db: Db, wanted: NewSync): Promise<number | null> {
  const { trigger, actor, dryRun = false, approves, scheduledFor } = wanted
  const started = await db.transaction(async (trx) => {
    const [run] = await trx('provider_syncs')
      .insert({
        trigger,
        started_by: actor,
        dry_run: dryRun,
        ...(approves === 'all' ? { approves_all: true } : { approves }),
        scheduled_for: scheduledFor,
      })
      .onConflict()
      .ignore()
      .returning('id')
    if (!run) return null
    if (actor !== null) {
      const details = { run: run.id, ...(dryRun && { dry_run: true }), ...(approves && { approves }) }
      await auditLog.record(trx, { actor, action: 'sync', entity: 'provider', entityId: 'all', details })
    }
    await addJob(trx, run.id)
    await changes.announce(trx, { syncs: [run.id] })
    return run.id as number
  })
  if (started !== null) return started
  const open = await joinOpen(db, dryRun)
  if (scheduledFor) return null
  // The run that this one met has ended meanwhile.
  if (!open) return startSync(db, wanted)
  if (typeof approves === 'number' && open.approves !== approves) {
    throw new AppError('conflict', 'Another sync is running. Check its result first.')
  }
  return open.id
}

/**
 * Finds the open run. Adds a job if it has none: the run may wait for the end of another one, or was started by the
 * previous release.
 */
async function joinOpen(db: Db, dryRun: boolean): Promise<{ id: number; approves: number | null } | undefined> {
  return db.transaction(async (trx) => {
    const open = await trx('provider_syncs')
      .where('dry_run', dryRun)
      .whereIn('state', OPEN)
      .forUpdate()
      .first('id', 'approves')
    const job =
      open &&
      (await trx('jobs')
        .where({ ...columnsOf(`sync:${open.id}`), ...SYNC_JOB })
        .whereIn('state', jobs.OPEN)
        .first('id'))
    if (open && !job) await addJob(trx, open.id)
    return open
  })
}

const addJob = (trx: Transaction, syncId: number) => jobs.add(trx, `sync:${syncId}`, [SYNC_JOB])

/**
 * Approves the sensitive changes of a run: starts another run that may make them.
 * @returns the id of the new run
 * @throws AppError `not_found`, `conflict` when that run needs no approval, or no longer
 */
export async function approveSync(db: Db, id: number, { actor }: { actor: string }): Promise<number> {
  const run = await get(db, id)
  const isStarted = await db('provider_syncs').where('approves', id).whereIn('state', OPEN).first('id')
  if (!run.can_be_approved && !isStarted) {
    throw new AppError('conflict', 'There is nothing to approve. The providers may have been synced since then.')
  }
  return (await startSync(db, { trigger: 'staff', actor, approves: id })) as number
}

/**
 * Compares the posts with the providers, writes the differences, all or nothing, and ends the run. A dry run, and a run
 * that needs approval, only records them. Adds jobs that match waiting leads again; older leads are listed for staff.
 * @returns the plan, and the state of the run
 * @throws LostRun
 */
export async function applySync(
  db: Db,
  run: BegunRun,
  reading: WordPressPosts,
  { pagesDone, radiusMiles, mainDomain }: Pick<Progress, 'pagesDone'> & { radiusMiles: number; mainDomain: string },
): Promise<{ plan: SyncPlan; state: SyncRun['state'] }> {
  return db.transaction(async (trx) => {
    const row = await own(trx, run).forUpdate().first('approves', 'approves_all')
    if (!row) throw new LostRun()
    const { known, foreignDomains } = await providerSync.readKnown(trx)
    const zips = [...known.map(({ zipCode }) => zipCode), ...reading.posts.map(({ fields }) => fields.zipCode)]
    const centers = await providerSync.readZipCenters(
      trx,
      zips.flatMap((zip) => zip?.slice(0, 5) ?? []),
    )
    const { posts, doubts } = withoutDoubtfulPlaces(reading.posts, known, centers)
    const plan = planSync(known, { ...reading, posts }, foreignDomains, mainDomain, centers)
    const unapproved = withoutApproved(plan.sensitive, await approvedBy(trx, row, plan))
    const unactivated = unactivatedBy(plan, known, withoutApproved(plan.sensitive, unapproved))
    const earlier = await unapprovedToday(trx)
    const reasons = reasonsFor(unapproved, plan.allowedChanges, earlier)
    const isRefused = !run.dryRun && reasons.length > 0
    const state = isRefused ? 'needs_approval' : 'done'

    const writes = state === 'done' && !run.dryRun
    const providers = writes ? await providerSync.write(trx, plan, { unactivated, seenAt: await lastSuccess(trx) }) : []
    if (writes) {
      // Providers may have moved to another time zone.
      await answerClocks.markStale(trx, providers)
      await clinicPeople.change(trx, run.id, plan.newEmails, unapproved)
      // The first sync creates all providers: no notices.
      if (known.length > 0) await providerSync.add(trx, run.id, plan, { known, unapproved, unactivated })
    }
    const oldBefore = new Date(Date.now() - WAITING_DAYS * DAY)
    const leads = writes ? await matchWaitingLeads(trx, run.id, oldBefore) : []
    const oldLeads = writes ? await listOldLeads(trx, oldBefore, radiusMiles) : []
    await own(trx, run).update({
      ...ended(trx, state, isRefused ? refusalOf(reasons, plan.allowedChanges) : null),
      ...plan.counts,
      pages_done: pagesDone,
      pages_total: pagesDone,
      approval_reasons: JSON.stringify(reasonsFor(plan.sensitive, plan.allowedChanges, earlier)),
      sensitive_changes: JSON.stringify(plan.sensitive),
      leads_queued: leads.length,
      old_leads: oldLeads,
      old_leads_before: writes ? oldBefore : null,
      changes: JSON.stringify(listed(plan)),
      skipped_posts: JSON.stringify(plan.skipped.slice(0, MAX_LISTED)),
      doubts: JSON.stringify(doubts.slice(0, MAX_LISTED)),
    })
    await announceEnd(trx, run.id, { providers, jobs: leads })
    return { plan, state }
  })
}

type Approval = { approves: number | null; approves_all: boolean }

/** Lists the approved changes: those of the run that a manager approved; from the command line, all deactivations. */
async function approvedBy(
  trx: Transaction,
  { approves, approves_all }: Approval,
  { sensitive }: SyncPlan,
): Promise<SensitiveChange[]> {
  if (approves_all) return sensitive.filter(({ kind }) => kind === 'deactivate')
  if (approves === null) return []
  return (await trx('provider_syncs').where('id', approves).first('sensitive_changes'))?.sensitive_changes ?? []
}

/** Lists the sensitive changes that runs of the last day made without an approval. */
async function unapprovedToday(trx: Transaction): Promise<SensitiveChange[]> {
  const runs = await trx('provider_syncs as run')
    .leftJoin('provider_syncs as approval', 'approval.id', 'run.approves')
    .where({ 'run.dry_run': false, 'run.state': 'done' })
    .where('run.finished_at', '>', trx.raw(`now() - interval '1 day'`))
    .select<{ made: SensitiveChange[]; approved: SensitiveChange[] | null; approves_all: boolean }[]>(
      { made: 'run.sensitive_changes', approved: 'approval.sensitive_changes' },
      'run.approves_all',
    )
  return runs.flatMap(({ made, approved, approves_all }) =>
    withoutApproved(made, approves_all ? made.filter(({ kind }) => kind === 'deactivate') : (approved ?? [])),
  )
}

/** Returns the first changes, and all sensitive ones, because a manager approves what is listed. */
function listed({ changes }: SyncPlan): SyncChange[] {
  const sensitive = changes.filter((change) => sensitiveIn(change).length > 0).length
  return changes.slice(0, Math.max(MAX_LISTED, sensitive))
}

async function lastSuccess(trx: Transaction): Promise<Date | null> {
  return only(await trx('provider_syncs').where({ dry_run: false, state: 'done' }).max({ at: 'started_at' })).at
}
