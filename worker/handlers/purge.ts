import * as erasures from '../../core/privacy/stores/erasures.ts'
import { DeliveryError, HandedBack, NotNeeded, reasonOf } from '../delivery-error.ts'
import { type DeleteBatch, retention } from '../retention.ts'
import type { Handler, Outcome, Task, WorkerServices } from './handler.ts'

/** Deletes what is older than its retention. Whatever ends the attempt, the next one goes on with what is left. */
export const purge: Handler = (tasks, services) => tasks.map((task) => run(task, services))

async function run({ job }: Task, { db, env, log, stopping }: WorkerServices): Promise<Outcome> {
  /** One batch is one transaction, so that no row is deleted twice or half. */
  const deleteAll = async (deleteBatch: DeleteBatch) => {
    for (let total = 0; ; ) {
      if (stopping.aborted) throw new HandedBack('The worker stops.')
      const deleted = await db.transaction(async (trx) => {
        if (!(await erasures.isOpen(trx, job.id))) throw new NotNeeded('Another worker has ended this purge.')
        return deleteBatch(trx, total)
      })
      total += deleted
      if (deleted === 0) return total
    }
  }

  const failed: string[] = []
  let total = 0
  for (const [name, deleteBatch] of Object.entries(retention(env))) {
    try {
      const deleted = await deleteAll(deleteBatch)
      if (deleted > 0) log.info({ what: name, deleted }, 'purge')
      total += deleted
    } catch (error) {
      if (error instanceof HandedBack || error instanceof NotNeeded) throw error
      log.warn({ what: name, reason: reasonOf(error as Error) }, 'purge')
      failed.push(name)
    }
  }
  if (failed.length > 0) {
    throw new DeliveryError(`Could not delete: ${failed.join(', ')}.`, { cause: 'our_side', retry: 'later' })
  }
  return { result: { deleted: total } }
}
