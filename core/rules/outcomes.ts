import type { JobState } from '../contract/jobs.ts'

/** A job that was made to try something again, as it stands. */
export type TriedJob = {
  state: JobState
  /** Our own words about the last attempt, or why the job was cancelled. */
  error: string | null
  /** What the other side said about it. */
  detail: string | null
  /** ISO 8601. */
  nextAttemptAt: string
  /** Whether the next attempt may begin. */
  isDue: boolean
}

/**
 * How trying again went. `waiting` until `nextAttemptAt`, or, where that is null, for a worker that has not come to it.
 */
export type Outcome =
  | { state: 'delivered' }
  | { state: 'refused'; error: string }
  | { state: 'waiting'; error: string | null; nextAttemptAt: string | null }

/** The longest answer of the other side that fits in a notice, in characters. The ledger has all of it. */
const MAX_DETAIL = 300

/** Whether an attempt at the job is still to come, or under way. */
export function isUnderWay({ state, isDue }: TriedJob): boolean {
  return state === 'enqueued' || (state === 'waiting' && isDue)
}

/**
 * Returns the outcome of jobs that were made together: what was refused counts first, then what waits. A cancelled job
 * counts only where nothing else was sent, because an e-mail that is no longer needed is no failure.
 */
export function outcomeOf(jobs: TriedJob[]): Outcome {
  const failed = jobs.find(({ state }) => state === 'failed')
  if (failed) return { state: 'refused', error: sentence(failed) ?? 'It failed.' }

  const open = jobs.filter(({ state }) => state === 'waiting' || state === 'enqueued')
  const [first] = open.filter((job) => !isUnderWay(job)).toSorted(byTime)
  if (first) return { state: 'waiting', error: sentence(first), nextAttemptAt: first.nextAttemptAt }
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
