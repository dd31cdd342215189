import { setTimeout as sleep } from 'node:timers/promises'
import type { RetryAnswer } from '../core/contract/jobs.ts'
import type { Db } from '../core/platform/db.ts'
import { isUnderWay, type Outcome, outcomeOf, type TriedJob } from '../core/rules/outcomes.ts'
import { listTried } from '../core/stores/failed-jobs.ts'
import { SECOND } from '../core/time.ts'
import type { Services } from './services.ts'

const LOOK_EVERY = SECOND / 5
/** A look at one more job costs the database so many milliseconds more of a pause. */
const INTERVAL_PER_JOB = 0.05

/** `patience`: how long to wait without any news, in milliseconds. `stopping` ends the waiting at once. */
export type Waiting = { patience: number; stopping: AbortSignal }

type Follow<Row> = Waiting & {
  /** The rows whose jobs are waited for, with the ids of those jobs. A row is removed when its outcome is told. */
  tried: Map<Row, string[]>
  /** Whether rows are still being added. */
  isFilling?: () => boolean
  tell: (row: Row, outcome: Outcome) => void
  onLook?: () => void
}

/**
 * Tells the outcome of each row as soon as the first attempts at its jobs have ended, and `waiting` for the others once
 * nothing has happened for `patience`, this process stops, or the database cannot be read.
 */
export async function followOutcomes<Row>(db: Db, follow: Follow<Row>): Promise<void> {
  const { tried, patience, stopping, isFilling = () => false, tell, onLook } = follow
  let lastNews = performance.now()
  let isReadable = true
  while (tried.size > 0 || isFilling()) {
    const isPatient = isFilling() || performance.now() - lastNews < patience
    // Others may be added while the database answers.
    const looked = [...tried]
    const jobs = await listTried(
      db,
      looked.flatMap(([, ids]) => ids),
    ).catch(() => {
      isReadable = false
      return new Map<string, TriedJob>()
    })
    const goesOn = isPatient && isReadable && !stopping.aborted
    for (const [row, ids] of looked) {
      const own = ids.flatMap((id) => jobs.get(id) ?? [])
      if (goesOn && own.some(isUnderWay)) continue
      tried.delete(row)
      lastNews = performance.now()
      tell(row, isReadable ? outcomeOf(own) : { state: 'waiting', error: null, nextAttemptAt: null })
    }
    onLook?.()
    if (tried.size > 0 || isFilling()) await sleep(LOOK_EVERY + INTERVAL_PER_JOB * tried.size)
  }
}

/**
 * The answer to a call that made these jobs. Without `wait`, in seconds, it says only that they were made.
 */
export async function retryAnswer(
  { db, stopping }: Pick<Services, 'db' | 'stopping'>,
  jobs: string[],
  wait: number,
): Promise<RetryAnswer> {
  if (wait === 0) return { success: true }
  let answer: RetryAnswer = { success: true }
  await followOutcomes(db, {
    tried: new Map([['all', jobs]]),
    patience: wait * SECOND,
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
