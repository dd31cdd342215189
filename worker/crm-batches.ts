import { syncCrm } from '../core/jobs/sync-crm.ts'
import { createBatcher } from '../core/platform/batcher.ts'
import type { CrmSender } from './senders/crm-sender.ts'

/** How long, in milliseconds, a lead waits for others that could go with it. */
const MAX_BATCH_WAIT = 100

/**
 * Gathers the CRM's jobs into batches as large as its sender takes. `concurrency` is how many jobs the queue has to hand
 * out for that: one batch more than are under way, so that the next one is full when its turn comes.
 */
export function createCrmBatches(crm: CrmSender | null, run: (jobIds: string[]) => Promise<void>) {
  const { batchSize, concurrency } = crm ?? { batchSize: 1, concurrency: syncCrm.concurrency }
  // What has failed as a whole may be at the CRM already: the queue tries it again, after a while.
  const runAll = (jobIds: string[]) =>
    run(jobIds).then(
      () => jobIds.map(() => undefined),
      (error: Error) => jobIds.map(() => error),
    )
  return {
    perform: createBatcher(runAll, { size: batchSize, atOnce: concurrency, linger: MAX_BATCH_WAIT }),
    concurrency: batchSize === 1 ? concurrency : batchSize * (concurrency + 1),
  }
}
