import { beginSync } from '../../core/sync/start-sync.ts'
import { HandedBack, NotNeeded } from '../delivery-error.ts'
import { performRun } from '../sync/run.ts'
import type { Handler, Outcome, Task, WorkerServices } from './handler.ts'

/** Runs of the provider sync. A job is done when its run has ended; the run's row says how. */
export const syncProviders: Handler = (tasks, services) => tasks.map((task) => sync(task, services))

async function sync({ of, id }: Task, services: WorkerServices): Promise<Outcome> {
  if (of !== 'sync') throw new NotNeeded('The job belongs to no sync.')
  const run = await beginSync(services.db, id)
  // The end of that sync adds this job again.
  if (run === 'busy') throw new NotNeeded('Another sync is running. This one follows it.')
  if (run !== 'ended' && !(await performRun(run, services, services.stopping))) throw new HandedBack()
  return { result: {} }
}
