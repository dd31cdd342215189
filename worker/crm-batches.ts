import { syncCrm } from '../core/jobs/sync-crm.ts'
import { createBatcher } from '../core/platform/batcher.ts'
import type { CrmSender } from './senders/crm-sender.ts'

/** In milliseconds: how long a lead waits for others to share a call. */
const MAX_BATCH_WAIT = 100

/**
 * Groups CRM jobs into batches of the sender's size. `concurrency` is the number of jobs that the queue hands out: one
 * batch more than run at once, so that the next batch is full when its turn comes.
 */
export function createCrmBatches(crm: CrmSender | null, run: (jobIds: string[]) => Promise<void>) {
  const { batchSize, concurrency } = crm ?? { batchSize: 1, concurrency: syncCrm.concurrency }
  // The CRM may have accepted a batch that failed as a whole: the queue retries it later.
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
