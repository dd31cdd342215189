import type { Changes } from '../contract/events.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import { SECOND } from '../time.ts'
import { OPEN, SYNC_JOB } from './stores/sync-runs.ts'

/**
 * A begun run. A later beginning of the same run has a higher `attempt`, and this worker has then lost the run: every
 * write of a worker has the number as its condition, so that two workers never both apply a run.
 */
export type BegunRun = { id: number; attempt: number; dryRun: boolean }
export type Progress = { pagesDone: number; pagesTotal: number | null }

/**
 * The time that the queue waits for a run of the command line, in milliseconds. Heartbeats extend it: a worker takes the
 * run over when the command was killed.
 */
export const COMMAND_LEASE = 15 * SECOND

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
          // Workers of the previous release take over a run whose time here is old.
          alive_at: null,
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
  const lease = db.raw(`now() + ? * interval '1 ms'`, [COMMAND_LEASE])
  await db('jobs')
    .where({ sync_id: run.id, ...SYNC_JOB, state: 'waiting' })
    .update({ next_attempt_at: lease })
  await changes.announce(db, { syncs: [run.id] })
}

/** Returns whether the command that worked on a run was killed, and the queue does not have the run yet. */
export async function isAbandoned(db: Db, id: number): Promise<boolean> {
  const due = db('jobs')
    .where({ sync_id: id, ...SYNC_JOB, state: 'waiting' })
    .where('next_attempt_at', '<=', db.fn.now())
  return (await due.first('id')) !== undefined
}

/** Gives the run back, for another worker. This attempt does not count. */
export async function handBackSync(db: Db, run: BegunRun): Promise<void> {
  await own(db, run).update({ state: 'waiting', attempt: run.attempt - 1 })
  await changes.announce(db, { syncs: [run.id] })
}

/** Ends a run of the command line that no worker has begun. */
export async function cancelCommandSync(db: Db, id: number, reason: string): Promise<void> {
  await db.transaction(async (trx) => {
    const waiting = trx('provider_syncs').where({ id, state: 'waiting', trigger: 'command' })
    if ((await waiting.update(ended(trx, 'failed', reason))) > 0) await announceEnd(trx, id)
  })
}

/** Ends the run with the reason why it changed nothing. */
export async function failSync(db: Db, run: BegunRun, error: string): Promise<void> {
  await db.transaction(async (trx) => {
    if ((await own(trx, run).update(ended(trx, 'failed', error))) > 0) await announceEnd(trx, run.id)
  })
}

/** Queries the row of the run, as long as this worker has it. */
export function own(db: Db, { id, attempt }: BegunRun) {
  return db('provider_syncs').where({ id, attempt, state: 'running' })
}

/** The columns of a run that has ended. */
export function ended(db: Db, state: 'done' | 'failed' | 'needs_approval', error: string | null) {
  return { state, error, finished_at: db.fn.now() }
}

/**
 * Announces the end of a run, and adds the jobs of runs that waited for it. The job of the run is settled here if the
 * queue does not have it, as after a run of the command line.
 */
export async function announceEnd(trx: Transaction, id: number, changed: Changes = {}): Promise<void> {
  await trx('jobs')
    .where({ sync_id: id, ...SYNC_JOB, state: 'waiting' })
    .update({ state: 'done', finished_at: trx.fn.now() })
  // A locked run is being begun at this moment.
  const waiting: number[] = await trx('provider_syncs').where('state', 'waiting').forUpdate().skipLocked().pluck('id')
  for (const syncId of waiting) await jobs.add(trx, `sync:${syncId}`, [SYNC_JOB])
  await changes.announce(trx, { ...changed, syncs: [id] })
}
