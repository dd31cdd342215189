import type { RetryAnswer } from '../core/deliveries/contract/jobs.ts'
import { followOutcomes } from '../core/deliveries/follow-outcomes.ts'
import type { Outcome } from '../core/leads/rules/outcomes.ts'
import { SECOND } from '../core/time.ts'
import type { Services } from './services.ts'

/** Returns the answer to a call that retries jobs, after waiting up to `wait` seconds for their first attempts. */
export async function retryAnswer(
  { db, stopping }: Pick<Services, 'db' | 'stopping'>,
  jobs: string[],
  wait: number,
): Promise<RetryAnswer> {
  if (wait === 0) return { success: true }
  let outcome: Outcome = { state: 'waiting', error: null, nextAttemptAt: null }
  await followOutcomes(db, {
    tried: new Map([['all', jobs]]),
    idleTimeout: wait * SECOND,
    stopping,
    tell: ([ended]) => {
      if (ended) outcome = ended[1]
    },
    // The retry is planned, whether or not the database can be read now.
  }).catch(() => {})
  return answerOf(outcome)
}

function answerOf(outcome: Outcome): RetryAnswer {
  if (outcome.state === 'delivered') return { success: true }
  if (outcome.state === 'refused') return { success: false, error: outcome.error }
  const { error, nextAttemptAt: next_attempt_at, isPaused } = outcome
  return { success: true, waiting: { error, next_attempt_at, ...(isPaused && { is_paused: true }) } }
}
