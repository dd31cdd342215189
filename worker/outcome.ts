import { JOBS } from '../core/jobs/index.ts'
import { retryDelay } from '../core/rules/retry.ts'
import type { Attempt, Job, Settlement } from '../core/stores/attempts.ts'
import { DeliveryError, NotNeeded } from './delivery-error.ts'
import type { Outcome } from './handlers/handler.ts'
import { printable } from './printable.ts'

/** How an attempt ended, after `ms` milliseconds. */
export type Ending<Row> = {
  ms: number
  settlement: Settlement
  commit?: Outcome<Row>['commit']
  /** Why it failed, for the log. In our own words, because those of the other side may name the visitor. */
  reason?: string
}

/** Returns the ending of an attempt that succeeded. */
export function ended<Row>({ begun }: Attempt, { result, commit }: Outcome<Row>): Ending<Row> {
  return { ms: performance.now() - begun, settlement: { state: 'done', result }, commit }
}

/**
 * Returns the ending of an attempt that threw: cancelled, failed for good, or waiting for the next attempt as long as
 * there are attempts left.
 */
export function failed<Row>({ job, begun }: Attempt, error: Error): Ending<Row> {
  return { ms: performance.now() - begun, settlement: settlementOf(job, error), reason: reasonOf(error) }
}

function settlementOf(job: Job, error: Error): Settlement {
  if (error instanceof NotNeeded) return { state: 'cancelled', error: error.message }

  const known = error instanceof DeliveryError ? error : undefined
  const result = known?.status === undefined ? undefined : { status: known.status }
  const message = known?.message ?? printable(`Something went wrong on our side: ${error.message}`)
  if (known?.retry === 'never') return { state: 'failed', error: message, result }

  const delay = retryDelay(JOBS[job.name].retry, job.attempts + 1, { askedFor: known?.askedFor })
  if (delay === null) return { state: 'failed', error: `${message} We have stopped trying.`, result }
  return { state: 'waiting', error: message, delay, result }
}

/**
 * Returns what the log says of an error. An error that is not ours may quote anything, as PostgreSQL quotes rows, so that
 * only its kind is logged; its message goes to the ledger.
 */
function reasonOf(error: Error & { code?: unknown }): string {
  if (error instanceof DeliveryError) return error.summary
  if (error instanceof NotNeeded) return error.message
  return [error.name, error.code].filter(Boolean).join(' ')
}
