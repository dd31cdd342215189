import type { Changes } from '../../core/contract/events.ts'
import type { JobName } from '../../core/deliveries/contract/jobs.ts'
import { merge } from '../../core/deliveries/stores/changes.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { createLog, type Logger } from '../../core/platform/log.ts'
import { createAttempts } from '../../worker/attempt.ts'
import type { WorkerServices } from '../../worker/handlers/handler.ts'
import { createLead, createProvider, jobsOf } from './factories.ts'
import { found } from './found.ts'
import { useWorkerServices } from './worker-services.ts'

const LOG = createLog('test', 'silent')

/** Makes an attempt at each of these jobs, together, as the worker does. Returns the changes. */
export async function attempt(jobIds: string[], services: WorkerServices, log: Logger = LOG): Promise<Changes> {
  const ends = await createAttempts(services, log)(jobIds)
  return (await Promise.all(ends)).reduce(merge, {})
}

/** The worker's services, and what tests of a lead's jobs do with them. */
export function useLeadJobs() {
  const worker = useWorkerServices()
  const run = (jobId: string, log?: Logger) => attempt([jobId], worker, log)

  return {
    worker,
    run,
    /** Makes an attempt at each job that waits for its first, until none does: also at those that others make. */
    async runAll(leadId: number): Promise<void> {
      for (let round = 0; round < 5; round++) {
        const open = await jobsOf(worker.db, leadId, { state: 'waiting', attempts: 0 })
          .orderBy('created_at')
          .pluck('id')
        for (const id of open) await run(id)
        if (open.length === 0) return
      }
    },
    matchedLead: async (form = {}) => createLead(worker.db, { form, providerId: (await createProvider(worker.db)).id }),
    lead: async (id: number) => found(await worker.db('leads').where({ id }).first()),
    newest: async (leadId: number, name: JobName, purpose: string) =>
      found(await jobsOf(worker.db, leadId, { name, purpose }).orderBy('generation', 'desc').first()),
    states: async (leadId: number) =>
      Object.fromEntries(
        (await jobs.list(worker.db, `lead:${leadId}`)).map((job) => [
          `${job.name} ${job.purpose} ${job.generation}`,
          job.state,
        ]),
      ),
  }
}
