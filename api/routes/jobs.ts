import { formatCount } from '../../core/contract/format.ts'
import * as jobsCalls from '../../core/deliveries/contract/jobs.ts'
import { MAX_JOBS } from '../../core/deliveries/contract/jobs.ts'
import { recordRetryFailed } from '../../core/deliveries/retry-deliveries.ts'
import { countFailed, listFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import { AppError } from '../../core/errors.ts'
import { retryFailedJobs } from '../../core/staff/contract/bulk.ts'
import { startBulk } from '../../core/staff/start-bulk.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

const ONE_AT_A_TIME = {
  of: ['retry-failed' as const],
  most: 1,
  sentence: 'Failed deliveries are already being retried. Please try again in a minute.',
}

export function jobRoutes(handle: Handle, { db }: Services): void {
  handle(jobsCalls.countFailedJobs, async ({ query }) => ({ total: await countFailed(db, query) }))

  handle(retryFailedJobs, async ({ body: { expected, ...query }, actor }) => {
    const failed = await listFailed(db, query, MAX_JOBS + 1)
    requireExpectedCount(failed.length, expected)
    const items = failed.map(({ id, lead_id, application_id, account_id, sync_id }) => ({
      retried_job: id,
      ...{ lead_id, application_id, account_id, sync_id },
    }))
    const record = (trx: typeof db) => recordRetryFailed(trx, query, { ...actor, count: items.length })
    const id = await startBulk(db, { purpose: 'retry-failed', items, limit: ONE_AT_A_TIME, record }, actor)
    return { id }
  })
}

function requireExpectedCount(found: number, expected: number): void {
  if (found > MAX_JOBS) {
    throw new AppError(
      'conflict',
      `More than ${formatCount(MAX_JOBS)} deliveries have failed since then. Choose a shorter period.`,
    )
  }
  if (found !== expected) {
    throw new AppError(
      'conflict',
      `The number has changed: ${formatCount(found)} failed since then, not ${formatCount(expected)}. Please check again.`,
    )
  }
}
