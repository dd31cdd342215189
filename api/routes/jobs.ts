import { recordRetryFailed, retryJob } from '../../core/commands/retry-job.ts'
import * as jobsCalls from '../../core/contract/jobs.ts'
import { MAX_JOBS } from '../../core/contract/jobs.ts'
import type { RetryLine } from '../../core/contract/lead-bulk.ts'
import * as leadBulkCalls from '../../core/contract/lead-bulk.ts'
import { AppError } from '../../core/errors.ts'
import { countFailed, listFailed } from '../../core/stores/failed-jobs.ts'
import * as leads from '../../core/stores/leads.ts'
import { SECOND } from '../../core/time.ts'
import { actOnMany } from '../bulk.ts'
import type { Handle } from '../handle.ts'
import { answerLines } from '../line-answer.ts'
import type { Services } from '../services.ts'

export function jobRoutes(handle: Handle, { db, log, relay, stopping }: Services): void {
  let isRunning = false

  handle(jobsCalls.countFailedJobs, async ({ query }) => ({ total: await countFailed(db, query) }))

  handle(leadBulkCalls.retryFailedJobs, async ({ ctx, query: { wait }, body: { expected, ...query }, actor }) => {
    const failed = await listFailed(db, query, MAX_JOBS + 1)
    requireExpectedCount(failed.length, expected)
    if (isRunning) {
      throw new AppError('rate_limited', 'Failed deliveries are already being retried. Please try again in a minute.', {
        retryAfterSeconds: 60,
      })
    }

    isRunning = true
    const lines = answerLines<RetryLine>(ctx)
    const rows = failed.map(({ id, lead_id, application_id, account_id, sync_id }) => ({
      id,
      lead_id,
      application_id,
      account_id,
      sync_id,
    }))
    recordRetryFailed(db, query, { ...actor, count: rows.length })
      .then(() =>
        actOnMany(rows, ({ id }) => retryJob(db, id, actor), {
          tell: lines.tell,
          log,
          onActed: () => {
            isRunning = false
            relay.wake()
          },
          ...(wait > 0 && { waiting: { db, stopping, idleTimeout: wait * SECOND } }),
        }),
      )
      .then(async ({ failures, ...counts }) => {
        log.info({ action: 'retry-failed', ...counts }, 'acted on many')
        const names = await leads.listNames(
          db,
          failures.flatMap(({ lead_id }) => lead_id ?? []),
        )
        lines.tell({
          ...counts,
          failures: failures.map((row) => ({ ...row, name: names.get(row.lead_id ?? 0) ?? null })),
        })
      })
      .catch((error) => {
        isRunning = false
        log.error({ err: error }, 'retry of failed deliveries broke off')
      })
      .finally(lines.end)
  })
}

function requireExpectedCount(found: number, expected: number): void {
  if (found > MAX_JOBS) {
    throw new AppError(
      'conflict',
      `More than ${words(MAX_JOBS)} deliveries have failed since then. Choose a shorter period.`,
    )
  }
  if (found !== expected) {
    throw new AppError(
      'conflict',
      `The number has changed: ${words(found)} failed since then, not ${words(expected)}. Please check again.`,
    )
  }
}

const words = (count: number) => count.toLocaleString('en-US')
