import type { SyncTrigger } from '../../contract/sync.ts'
import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'
import { OPEN, SYNCS_CHANNEL } from '../../stores/sync-runs.ts'

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
    await trx.raw('select pg_notify(?, ?)', [SYNCS_CHANNEL, ''])
    await changes.announce(trx, { syncs: [run.id] })
    return run.id as number
  })
  if (started !== null || scheduledFor) return started
  const open = await db('provider_syncs').where('dry_run', dryRun).whereIn('state', OPEN).first('id', 'approves')
  // The run that this one met has ended meanwhile.
  if (!open) return startSync(db, wanted)
  if (typeof approves === 'number' && open.approves !== approves) {
    throw new AppError('conflict', 'Another sync is running. Check its result first.')
  }
  return open.id
}
