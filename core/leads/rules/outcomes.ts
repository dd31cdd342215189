import type { JobState } from '../../deliveries/contract/jobs.ts'

/** A job of a retry, in its current state. */
export type TriedJob = {
  state: JobState
  /** Our summary of the last attempt, or the reason of the cancellation. */
  error: string | null
  /** The other side's text about it. */
  detail: string | null
  /** ISO 8601. */
  nextAttemptAt: string
  /** Whether the next attempt may begin. */
  isDue: boolean
  /** Whether it waits for the end of a pause of sending, which is `nextAttemptAt`. */
  isPaused?: boolean
}

/**
 * The outcome of a retry. `waiting` lasts until `nextAttemptAt`, or, where that is null, until a worker takes the job.
 */
export type Outcome =
  | { state: 'delivered' }
  | { state: 'refused'; error: string }
  | { state: 'waiting'; error: string | null; nextAttemptAt: string | null; isPaused?: boolean }

/** The longest foreign text that a notice shows, in characters. The ledger has all of it. */
const MAX_DETAIL = 300

/** Returns whether an attempt at the job is due or running. */
export function isUnderWay({ state, isDue }: TriedJob): boolean {
  return state === 'enqueued' || (state === 'waiting' && isDue)
}

/**
 * Returns the common outcome of jobs of one retry: failed first, then waiting. A cancelled job counts only where
 * nothing else was sent, because an e-mail that is no longer needed is no failure.
 */
export function outcomeOf(jobs: TriedJob[]): Outcome {
  const failed = jobs.find(({ state }) => state === 'failed')
  if (failed) return { state: 'refused', error: sentence(failed) ?? 'It failed.' }

  const open = jobs.filter(({ state }) => state === 'waiting' || state === 'enqueued')
  const [first] = open.filter((job) => !isUnderWay(job)).toSorted(byTime)
  if (first) {
    const { nextAttemptAt, isPaused } = first
    return { state: 'waiting', error: sentence(first), nextAttemptAt, ...(isPaused && { isPaused }) }
  }
  if (open.length > 0) return { state: 'waiting', error: null, nextAttemptAt: null }

  if (jobs.some(({ state }) => state === 'done')) return { state: 'delivered' }
  const reason = jobs.find(({ error }) => error !== null)?.error
  return { state: 'refused', error: reason ?? 'It was deleted before it could be sent.' }
}

const byTime = (a: TriedJob, b: TriedJob) => a.nextAttemptAt.localeCompare(b.nextAttemptAt)

function sentence({ error, detail }: TriedJob): string | null {
  if (error === null || detail === null) return error
  const quote = detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}...` : detail
  return `${error} It said: “${quote}”`
}
