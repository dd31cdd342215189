import type { RetryAnswer } from '../core/contract/jobs.ts'
import { isUnderWay, type Outcome, outcomeOf } from '../core/rules/outcomes.ts'
import { listTried } from '../core/stores/failed-jobs.ts'
import { SECOND } from '../core/time.ts'
import { readUntilEnd } from './events.ts'
import type { Services } from './services.ts'

/** Returns the answer to a call that retries jobs, after waiting up to `wait` seconds for their first attempts. */
export async function retryAnswer(
  { db, events, stopping }: Pick<Services, 'db' | 'events' | 'stopping'>,
  jobs: string[],
  wait: number,
): Promise<RetryAnswer> {
  if (wait === 0) return { success: true }
  const tried = readUntilEnd(events, {
    read: async () => [...(await listTried(db, jobs)).values()],
    hasEnded: (read) => !read.some(isUnderWay),
    // New leads alone are no news of a delivery.
    isRelevant: ({ leads: _, ...others }) => Object.keys(others).length > 0,
    signal: AbortSignal.any([stopping, AbortSignal.timeout(wait * SECOND)]),
  })
  // The retry is planned, whether or not the database can be read now.
  return answerOf(await tried.then(outcomeOf, () => ({ state: 'waiting', error: null, nextAttemptAt: null })))
}

function answerOf(outcome: Outcome): RetryAnswer {
  if (outcome.state === 'delivered') return { success: true }
  if (outcome.state === 'refused') return { success: false, error: outcome.error }
  const { error, nextAttemptAt: next_attempt_at, isPaused } = outcome
  return { success: true, waiting: { error, next_attempt_at, ...(isPaused && { is_paused: true }) } }
}
