import { setTimeout as sleep } from 'node:timers/promises'
import { isUnderWay, type Outcome, outcomeOf } from '../leads/rules/outcomes.ts'
import type { Db } from '../platform/db.ts'
import { SECOND } from '../time.ts'
import { listTried } from './stores/failed-jobs.ts'

const POLL_INTERVAL = SECOND / 5
/** Added to the interval for each job that is polled, in milliseconds, to spare the database. */
const POLL_INTERVAL_PER_JOB = 0.05

type Follow<Row> = {
  /** The rows to wait for, with the ids of their jobs. Rows are removed before `onEnded` gets their outcomes. */
  tried: Map<Row, string[]>
  /** Returns whether rows are still being added. */
  isFilling?: () => boolean
  /** The longest time without a new outcome, in milliseconds. */
  idleTimeout: number
  /** Ends the waiting at once. */
  stopping: AbortSignal
  onEnded: (outcomes: [Row, Outcome][]) => Promise<void> | void
}

/**
 * Passes the outcome of each row to `onEnded` as soon as the first attempts of its jobs have ended. The other rows get the
 * outcome `waiting` after `idleTimeout`, or when the waiting is ended.
 * @throws Error when the database cannot be read
 */
export async function followOutcomes<Row>(db: Db, follow: Follow<Row>): Promise<void> {
  const { tried, idleTimeout, stopping, isFilling = () => false, onEnded } = follow
  let lastOutcomeAt = performance.now()
  while (tried.size > 0 || isFilling()) {
    const isInTime = isFilling() || performance.now() - lastOutcomeAt < idleTimeout
    // Others may be added during the query.
    const polled = [...tried]
    const jobs = await listTried(
      db,
      polled.flatMap(([, ids]) => ids),
    )
    const goesOn = isInTime && !stopping.aborted
    const ended = polled.flatMap(([row, ids]): [Row, Outcome][] => {
      const own = ids.flatMap((id) => jobs.get(id) ?? [])
      return goesOn && own.some(isUnderWay) ? [] : [[row, outcomeOf(own)]]
    })
    for (const [row] of ended) tried.delete(row)
    if (ended.length > 0) {
      lastOutcomeAt = performance.now()
      await onEnded(ended)
    }
    if (tried.size > 0 || isFilling()) await sleep(POLL_INTERVAL + POLL_INTERVAL_PER_JOB * tried.size)
  }
}
