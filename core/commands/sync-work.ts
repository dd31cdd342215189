import type { Changes } from '../contract/events.ts'
import { MAX_LISTED, type SyncChange, type SyncRun } from '../contract/sync.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { reasonsFor, refusalOf, type SensitiveChange, sensitiveIn, withoutApproved } from '../rules/sync-approval.ts'
import { planSync, type SyncPlan, type WordPressPosts } from '../rules/sync-plan.ts'
import * as changes from '../stores/changes.ts'
import * as providerEmails from '../stores/provider-emails.ts'
import * as providerSync from '../stores/provider-sync.ts'
import * as syncNotices from '../stores/sync-notices.ts'
import { SYNCS_CHANNEL } from '../stores/sync-runs.ts'
import { DAY, SECOND } from '../time.ts'
import { listOld, matchWaiting, type WaitingRules } from './match-waiting.ts'

/** A run that somebody works on. Whoever claims it after that has a higher `attempt`, and the one before has lost it. */
export type ClaimedRun = { id: number; attempt: number; dryRun: boolean }

/** A run that shows no sign of life for so long, in milliseconds, is taken over. */
export const DEAD_AFTER = 15 * SECOND
/** A run that was begun so often, and whose worker died each time, has failed. */
const MAX_ATTEMPTS = 3

/** Somebody else has taken over the run, or it is gone: nothing may be written for it. */
export class LostRun extends Error {
  override name = 'LostRun'
}

/** Takes the run that waits, or one whose worker has died, unless another one is running. Null: there is nothing to do. */
export async function claim(db: Db): Promise<ClaimedRun | null> {
  const isDead = db.raw(`state = 'running' and alive_at < now() - ? * interval '1 ms'`, [DEAD_AFTER])
  try {
    return await db.transaction(async (trx) => {
      const failed = await trx('provider_syncs')
        .where(isDead)
        .where('attempt', '>=', MAX_ATTEMPTS)
        .update(ended(trx, 'failed', 'The worker stopped three times during this sync. Nothing was changed.'))
        .returning('id')
      if (failed.length > 0) await announceEnd(trx, { syncs: failed.map(({ id }) => id) })

      const next = await trx('provider_syncs')
        .where(isDead)
        .orWhere('state', 'waiting')
        .orderBy('state')
        .orderBy('id')
        .first('id')
        .forUpdate()
        .skipLocked()
      if (!next) return null
      const [run] = await trx('provider_syncs')
        .where('id', next.id)
        .update({
          state: 'running',
          attempt: trx.raw('attempt + 1'),
          started_at: trx.raw('coalesce(started_at, now())'),
          alive_at: trx.fn.now(),
          pages_done: 0,
          pages_total: null,
        })
        .returning(['id', 'attempt', 'dry_run as dryRun'])
      await changes.announce(trx, { syncs: [run.id] })
      return run
    })
  } catch (error) {
    // Another one is running.
    if ((error as { constraint?: string }).constraint === 'provider_syncs_running_key') return null
    throw error
  }
}

/** Says that somebody still works on the run, and how far it is. @throws LostRun */
export async function heartbeat(db: Db, run: ClaimedRun, { pagesDone, pagesTotal }: Progress): Promise<void> {
  const progress = { pages_done: pagesDone, pages_total: pagesTotal }
  if ((await own(db, run).update({ alive_at: db.fn.now(), ...progress })) === 0) throw new LostRun()
  await changes.announce(db, { syncs: [run.id] })
}

export type Progress = { pagesDone: number; pagesTotal: number | null }

/** Gives the run back to be claimed by another worker. */
export async function handBack(db: Db, run: ClaimedRun): Promise<void> {
  await db.transaction(async (trx) => {
    await own(trx, run).update({ state: 'waiting' })
    await trx.raw('select pg_notify(?, ?)', [SYNCS_CHANNEL, ''])
  })
}

/** Ends a run that nobody has begun with, and that the command has started. */
export async function cancelCommand(db: Db, id: number, reason: string): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('provider_syncs')
      .where({ id, state: 'waiting', trigger: 'command' })
      .update({ ...ended(trx, 'failed', reason), alive_at: trx.fn.now() })
    await announceEnd(trx, { syncs: [id] })
  })
}

/** Records why the run has changed nothing. */
export async function fail(db: Db, run: ClaimedRun, error: string): Promise<void> {
  await db.transaction(async (trx) => {
    await own(trx, run).update(ended(trx, 'failed', error))
    await announceEnd(trx, { syncs: [run.id] })
  })
}

/**
 * Compares what was read with the providers, and writes what differs, all or nothing; a dry run, and one that needs
 * approval, only records what it would write. Then leads without a provider are to be matched again; staff are asked about
 * those that are older than `waitingDays`.
 * @returns the plan, and how the run ended
 * @throws LostRun
 */
export async function apply(
  db: Db,
  run: ClaimedRun,
  reading: WordPressPosts,
  {
    pagesDone,
    radiusMiles,
    waitingDays,
    mainDomain,
  }: Pick<Progress, 'pagesDone'> & WaitingRules & { mainDomain: string },
): Promise<{ plan: SyncPlan; state: SyncRun['state'] }> {
  return db.transaction(async (trx) => {
    const row = await own(trx, run).forUpdate().first('approves', 'approves_all')
    if (!row) throw new LostRun()
    const { known, foreignDomains } = await providerSync.readKnown(trx)
    const plan = planSync(known, reading, foreignDomains, mainDomain)
    const unapproved = withoutApproved(plan.sensitive, await approvedBy(trx, row, plan))
    const reasons = reasonsFor(unapproved, plan.allowedChanges)
    const isRefused = !run.dryRun && reasons.length > 0
    const state = isRefused ? 'needs_approval' : 'done'

    const writes = state === 'done' && !run.dryRun
    const providers = writes ? await providerSync.write(trx, plan, await lastSuccess(trx)) : []
    if (writes) {
      await providerEmails.change(trx, run.id, plan.newEmails, unapproved)
      // The first sync tells nobody of the providers that it creates.
      if (known.length > 0) await syncNotices.add(trx, run.id, plan, known, unapproved)
    }
    const oldBefore = new Date(Date.now() - waitingDays * DAY)
    const leads = writes ? await matchWaiting(trx, run.id, oldBefore) : []
    const oldLeads = writes ? await listOld(trx, oldBefore, radiusMiles) : []
    await own(trx, run).update({
      ...ended(trx, state, isRefused ? refusalOf(reasons, plan.allowedChanges) : null),
      ...plan.counts,
      pages_done: pagesDone,
      pages_total: pagesDone,
      approval_reasons: JSON.stringify(reasonsFor(plan.sensitive, plan.allowedChanges)),
      sensitive_changes: JSON.stringify(plan.sensitive),
      leads_queued: leads.length,
      old_leads: oldLeads,
      old_leads_before: writes ? oldBefore : null,
      changes: JSON.stringify(listed(plan)),
      skipped_posts: JSON.stringify(plan.skipped.slice(0, MAX_LISTED)),
    })
    await announceEnd(trx, { syncs: [run.id], providers, jobs: leads })
    return { plan, state }
  })
}

function own(db: Db, { id, attempt }: ClaimedRun) {
  return db('provider_syncs').where({ id, attempt, state: 'running' })
}

function ended(db: Db, state: 'done' | 'failed' | 'needs_approval', error: string | null) {
  return { state, error, finished_at: db.fn.now() }
}

/** Another run may be waiting for this one's end. */
async function announceEnd(trx: Transaction, changed: Changes): Promise<void> {
  await changes.announce(trx, changed)
  await trx.raw('select pg_notify(?, ?)', [SYNCS_CHANNEL, ''])
}

type Approval = { approves: number | null; approves_all: boolean }

/** Returns what was approved: the changes of the run that was shown to a manager; from the command line, all deactivations. */
async function approvedBy(
  trx: Transaction,
  { approves, approves_all }: Approval,
  { sensitive }: SyncPlan,
): Promise<SensitiveChange[]> {
  if (approves_all) return sensitive.filter(({ kind }) => kind === 'deactivate')
  if (approves === null) return []
  return (await trx('provider_syncs').where('id', approves).first('sensitive_changes')).sensitive_changes
}

/** Returns the first changes: all that are sensitive, because a manager approves what is listed. */
function listed({ changes }: SyncPlan): SyncChange[] {
  const sensitive = changes.filter((change) => sensitiveIn(change).length > 0).length
  return changes.slice(0, Math.max(MAX_LISTED, sensitive))
}

async function lastSuccess(trx: Transaction): Promise<Date | null> {
  const last = await trx('provider_syncs').where({ dry_run: false, state: 'done' }).max('started_at as at').first()
  return last?.at
}
