import type { IntegrationState } from '../contract/integrations.ts'
import { MINUTE, SECOND } from '../time.ts'
import { MIN_STREAK, type Streak } from './breaker.ts'

/** Returns whether an integration fails: three attempts in a row or more failed because of it, for five minutes or longer. */
export const isFailing = ({ faults, lasts }: Streak) => faults >= 3 && lasts >= MIN_STREAK
/** Returns whether work has been due for so many milliseconds that no worker takes it up. */
export const isLate = (due: number) => due > 5 * MINUTE
/** In milliseconds: a worker writes a heartbeat every ten seconds. */
export const HEARTBEAT_TIMEOUT = 45 * SECOND

type SendingFacts = {
  isSetUp: boolean
  isPaused: boolean
  /** The latest attempts that failed because of the integration, without a sign of life since. */
  streak: Streak
  /** Deliveries that wait for another attempt. */
  retrying: number
  /** How long the oldest due delivery has waited, in milliseconds. */
  oldestDue: number
}

export function sendingState({ isSetUp, isPaused, streak, retrying, oldestDue }: SendingFacts): IntegrationState {
  if (!isSetUp) return 'not_set_up'
  if (isPaused) return 'paused'
  if (isLate(oldestDue)) return 'silent'
  if (isFailing(streak)) return 'failing'
  return streak.faults > 0 || retrying > 0 ? 'retrying' : 'working'
}

type SyncFacts = { isSetUp: boolean; isOverdue: boolean; lastSuccess: Date | null; lastFailure: Date | null }

/** Returns the state of the provider sync. A failure after the last success counts. */
export function syncState({ isSetUp, isOverdue, lastSuccess, lastFailure }: SyncFacts): IntegrationState {
  if (!isSetUp) return 'not_set_up'
  if (lastFailure && (!lastSuccess || lastFailure > lastSuccess)) return 'failing'
  if (!lastSuccess) return 'unused'
  return isOverdue ? 'silent' : 'working'
}

/** In milliseconds: a healthy database answers a short query in a few. */
const SLOW_ANSWER = 500
/** The share of the connections that may be open. */
const NEARLY_FULL = 0.9
/** In seconds: no statement of ours may take so long. */
const LONG_TRANSACTION = 60

type DatabaseFacts = { answer_ms: number; connections: number; max_connections: number; longest_transaction: number }

export function databaseState(facts: DatabaseFacts): IntegrationState {
  const isFull = facts.connections >= NEARLY_FULL * facts.max_connections
  return facts.answer_ms > SLOW_ANSWER || isFull || facts.longest_transaction > LONG_TRANSACTION ? 'slow' : 'working'
}
