import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { COMMAND_LEASE } from './begin-sync.ts'
import type { SyncTrigger } from './contract/sync.ts'
import { get, OPEN, SYNC_JOB } from './stores/sync-runs.ts'

/** A run to start. `scheduledFor` is the minute of the schedule. */
export type NewSync = {
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
    await addJob(trx, run.id, trigger)
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
        .where({ sync_id: open.id, ...SYNC_JOB })
        .whereIn('state', jobs.OPEN)
        .first('id'))
    if (open && !job) await addJob(trx, open.id)
    return open
  })
}

/** The command line works on its own runs: workers only take over those of a killed command. */
async function addJob(trx: Transaction, syncId: number, trigger?: SyncTrigger): Promise<void> {
  const delay = trigger === 'command' ? COMMAND_LEASE : 0
  await jobs.add(trx, `sync:${syncId}`, [SYNC_JOB], { delay })
}

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
