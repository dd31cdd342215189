import type Router from '@koa/router'
import { type FailedJobCount, FailedJobsQuery, MOST_JOBS, RetryFailed } from '../../core/contract/jobs.ts'
import type { RetryLine } from '../../core/contract/lead-bulk.ts'
import { AppError } from '../../core/errors.ts'
import * as replays from '../../core/stores/replays.ts'
import { actOnMany } from '../bulk.ts'
import { answerLines } from '../line-answer.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function jobRoutes(router: Router, services: Services): void {
  const { db, env, log, relay } = services
  let isRunning = false

  router.get('/api/jobs/failed', staffOnly(services), async (ctx) => {
    const total = await replays.countFailed(db, parse(FailedJobsQuery, ctx.query))
    ctx.body = { total } satisfies FailedJobCount
  })

  router.post('/api/jobs/retry-failed', sameOrigin(env), staffOnly(services), async (ctx) => {
    const { expected, ...query } = parse(RetryFailed, ctx.request.body)
    const staff = actorOf(ctx)
    const failed = await replays.listFailed(db, query, MOST_JOBS + 1)
    refuseOther(failed.length, expected)
    if (isRunning) {
      throw new AppError('rate_limited', 'What failed is being tried again already. Please look again in a minute.', {
        retryAfterSeconds: 60,
      })
    }

    isRunning = true
    const lines = answerLines<RetryLine>(ctx)
    const rows = failed.map(({ id, lead_id, application_id }) => ({ id, lead_id, application_id }))
    replays
      .noteRetryFailed(db, query, { ...staff, count: rows.length })
      .then(() => actOnMany(rows, ({ id }) => replays.retry(db, id, staff), lines.tell, log))
      .then(({ succeeded, failed }) => log.info({ action: 'retry-failed', succeeded, failed }, 'acted on many'))
      .catch((error) => log.error({ err: error }, 'retry of what failed broke off'))
      .finally(() => {
        isRunning = false
        relay.wake()
        lines.end()
      })
  })
}

function refuseOther(found: number, expected: number): void {
  if (found > MOST_JOBS) {
    throw new AppError('conflict', `More than ${words(MOST_JOBS)} deliveries have failed since. Choose a later moment.`)
  }
  if (found !== expected) {
    throw new AppError(
      'conflict',
      `The number has changed: ${words(found)} failed since then, not ${words(expected)}. Please look again.`,
    )
  }
}

const words = (count: number) => count.toLocaleString('en-US')
