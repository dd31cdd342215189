import pLimit from 'p-limit'
import { JOBS } from '../../core/jobs/jobs.ts'
import * as store from '../../core/stores/purges.ts'
import { HandedBack, NotNeeded } from '../delivery-error.ts'
import { purgesOf } from '../purges.ts'
import type { Handler, Outcome, PurgeTask, WorkerServices } from './handler.ts'

/** This process deletes one batch at a time. Deliveries share the pool of connections. */
const turn = pLimit(1)

/** Deletes what is due, batch by batch. Whatever ends the attempt, the next one goes on with what is left. */
export const purge: Handler = (tasks, services) =>
  tasks.map(async (task) => {
    if (task.of !== 'purge') throw new NotNeeded('This is not a purge.')
    return run(task, services)
  })

async function run({ job }: PurgeTask, services: WorkerServices): Promise<Outcome> {
  const purpose = JOBS.purge.purposes.find((known) => known === job.purpose)
  if (!purpose) throw new NotNeeded('This version does not know this purge.')
  const { db, env, stopping } = services
  const [, { purge: deleteBatch }] = purgesOf(env)[purpose]

  /** Deletes a batch and writes the progress in one transaction, so that no batch is counted twice or not at all. */
  const advance = (done: number) => {
    if (stopping.aborted) throw new HandedBack('The worker stops.')
    return db.transaction(async (trx) => {
      const deleted = await deleteBatch(trx, done)
      const total = await store.advance(trx, job.id, deleted)
      if (total === null) throw new NotNeeded('Another worker has ended this purge.')
      if (deleted === 0) await store.removeSettled(trx, purpose, { keepsFailure: false })
      return { total, isEnd: deleted === 0 }
    })
  }

  let progress = { total: 0, isEnd: false }
  while (!progress.isEnd) progress = await turn(() => advance(progress.total))
  return { result: { deleted: progress.total } }
}
