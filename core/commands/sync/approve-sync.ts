import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import { get, OPEN } from '../../stores/sync-runs.ts'
import { startSync } from './start-sync.ts'

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
