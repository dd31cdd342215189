import type { Changes } from '../../contract/events.ts'
import { type Db, only, type Transaction } from '../../platform/db.ts'
import * as changes from '../../stores/changes.ts'
import { SYNCS_CHANNEL } from '../../stores/sync-runs.ts'
import { SECOND } from '../../time.ts'

/** A claimed run. A later claim has a higher `attempt`, and this worker has then lost the run. */
export type ClaimedRun = { id: number; attempt: number; dryRun: boolean }

/** A run without a heartbeat for so long, in milliseconds, may be claimed by another worker. */
export const HEARTBEAT_TIMEOUT = 15 * SECOND

/** A run whose worker died this many times has failed. */
const MAX_ATTEMPTS = 3

/** Another worker has claimed the run, or it is gone: this worker must not write for it. */
export class LostRun extends Error {
  override name = 'LostRun'
}

/** Claims the waiting run, or one whose worker has died. Returns null without such a run, or while another one is running. */
export async function claimSync(db: Db): Promise<ClaimedRun | null> {
  const isDead = db.raw(`state = 'running' and alive_at < now() - ? * interval '1 ms'`, [HEARTBEAT_TIMEOUT])
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
      const claimed = await trx('provider_syncs')
        .where('id', next.id)
        .update({
          state: 'running',
          attempt: trx.raw('attempt + 1'),
          started_at: trx.raw('coalesce(started_at, now())'),
          alive_at: trx.fn.now(),
          pages_done: 0,
          pages_total: null,
        })
        .returning(['id', 'attempt', 'dry_run'])
      const { dry_run: dryRun, ...run } = only(claimed)
      await changes.announce(trx, { syncs: [run.id] })
      return { ...run, dryRun }
    })
  } catch (error) {
    // Another one is running.
    if ((error as { constraint?: string }).constraint === 'provider_syncs_running_key') return null
    throw error
  }
}

/** Records that the run is alive, and its progress. @throws LostRun */
export async function heartbeat(db: Db, run: ClaimedRun, { pagesDone, pagesTotal }: Progress): Promise<void> {
  const progress = { pages_done: pagesDone, pages_total: pagesTotal }
  if ((await own(db, run).update({ alive_at: db.fn.now(), ...progress })) === 0) throw new LostRun()
  await changes.announce(db, { syncs: [run.id] })
}

export type Progress = { pagesDone: number; pagesTotal: number | null }

/** Gives the run back, for another worker. */
export async function handBackSync(db: Db, run: ClaimedRun): Promise<void> {
  await db.transaction(async (trx) => {
    await own(trx, run).update({ state: 'waiting' })
    await trx.raw('select pg_notify(?, ?)', [SYNCS_CHANNEL, ''])
  })
}

/** Ends a run of the command line that no worker has claimed. */
export async function cancelCommandSync(db: Db, id: number, reason: string): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('provider_syncs')
      .where({ id, state: 'waiting', trigger: 'command' })
      .update({ ...ended(trx, 'failed', reason), alive_at: trx.fn.now() })
    await announceEnd(trx, { syncs: [id] })
  })
}

/** Ends the run with the reason why it changed nothing. */
export async function failSync(db: Db, run: ClaimedRun, error: string): Promise<void> {
  await db.transaction(async (trx) => {
    await own(trx, run).update(ended(trx, 'failed', error))
    await announceEnd(trx, { syncs: [run.id] })
  })
}

/** Queries the row of the run, as long as this worker has it. */
export function own(db: Db, { id, attempt }: ClaimedRun) {
  return db('provider_syncs').where({ id, attempt, state: 'running' })
}

/** The columns of a run that has ended. */
export function ended(db: Db, state: 'done' | 'failed' | 'needs_approval', error: string | null) {
  return { state, error, finished_at: db.fn.now() }
}

/** Announces the end of a run: workers claim the next one. */
export async function announceEnd(trx: Transaction, changed: Changes): Promise<void> {
  await changes.announce(trx, changed)
  await trx.raw('select pg_notify(?, ?)', [SYNCS_CHANNEL, ''])
}
