import { setTimeout as sleep } from 'node:timers/promises'
import type { RetryAnswer } from '../core/contract/jobs.ts'
import type { Db } from '../core/platform/db.ts'
import { isUnderWay, type Outcome, outcomeOf, type TriedJob } from '../core/rules/outcomes.ts'
import { listTried } from '../core/stores/failed-jobs.ts'
import { SECOND } from '../core/time.ts'
import type { Services } from './services.ts'

const POLL_INTERVAL = SECOND / 5
/** Added to the interval for each job that is polled, in milliseconds, to spare the database. */
const POLL_INTERVAL_PER_JOB = 0.05

/** `idleTimeout`: the longest time without a new outcome, in milliseconds. `stopping` ends the waiting at once. */
export type Waiting = { idleTimeout: number; stopping: AbortSignal }

type Follow<Row> = Waiting & {
  /** The rows to wait for, with the ids of their jobs. A row is removed when `tell` gets its outcome. */
  tried: Map<Row, string[]>
  /** Returns whether rows are still being added. */
  isFilling?: () => boolean
  tell: (row: Row, outcome: Outcome) => void
  onPoll?: () => void
}

/**
 * Passes the outcome of each row to `tell` as soon as the first attempts of its jobs have ended. The other rows get the
 * outcome `waiting` after `idleTimeout`, if this process stops, or if the database cannot be read.
 */
export async function followOutcomes<Row>(db: Db, follow: Follow<Row>): Promise<void> {
  const { tried, idleTimeout, stopping, isFilling = () => false, tell, onPoll } = follow
  let lastOutcomeAt = performance.now()
  let isReadable = true
  while (tried.size > 0 || isFilling()) {
    const isInTime = isFilling() || performance.now() - lastOutcomeAt < idleTimeout
    // Others may be added during the query.
    const polled = [...tried]
    const jobs = await listTried(
      db,
      polled.flatMap(([, ids]) => ids),
    ).catch(() => {
      isReadable = false
      return new Map<string, TriedJob>()
    })
    const goesOn = isInTime && isReadable && !stopping.aborted
    for (const [row, ids] of polled) {
      const own = ids.flatMap((id) => jobs.get(id) ?? [])
      if (goesOn && own.some(isUnderWay)) continue
      tried.delete(row)
      lastOutcomeAt = performance.now()
      tell(row, isReadable ? outcomeOf(own) : { state: 'waiting', error: null, nextAttemptAt: null })
    }
    onPoll?.()
    if (tried.size > 0 || isFilling()) await sleep(POLL_INTERVAL + POLL_INTERVAL_PER_JOB * tried.size)
  }
}

/** Returns the answer to a call that retries jobs, after waiting up to `wait` seconds for their first attempts. */
export async function retryAnswer(
  { db, stopping }: Pick<Services, 'db' | 'stopping'>,
  jobs: string[],
  wait: number,
): Promise<RetryAnswer> {
  if (wait === 0) return { success: true }
  let answer: RetryAnswer = { success: true }
  await followOutcomes(db, {
    tried: new Map([['all', jobs]]),
    idleTimeout: wait * SECOND,
    stopping,
    tell: (_, outcome) => {
      if (outcome.state === 'refused') answer = { success: false, error: outcome.error }
      if (outcome.state === 'waiting') {
        answer = { success: true, waiting: { error: outcome.error, next_attempt_at: outcome.nextAttemptAt } }
      }
    },
  })
  return answer
}
