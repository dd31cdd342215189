import { JOBS } from '../core/jobs/index.ts'
import { retryDelay } from '../core/rules/retry.ts'
import type { Attempt, Job, Settlement } from '../core/stores/attempts.ts'
import { DeliveryError, NotNeeded } from './delivery-error.ts'
import type { Outcome } from './handlers/handler.ts'

/** The outcome of an attempt, after `ms` milliseconds. */
export type Ending<Row> = {
  ms: number
  settlement: Settlement
  commit?: Outcome<Row>['commit']
  /** The reason for the log, in our own words, because the other side's may name the visitor. */
  reason?: string
}

/** Returns the outcome of a successful attempt. */
export function ended<Row>({ begun }: Attempt, { result, commit }: Outcome<Row>): Ending<Row> {
  return { ms: performance.now() - begun, settlement: { state: 'done', result }, commit }
}

/** Returns the outcome of an attempt that threw: cancelled, failed for good, or waiting while attempts are left. */
export function failed<Row>({ job, begun }: Attempt, error: Error): Ending<Row> {
  return { ms: performance.now() - begun, settlement: settlementOf(job, error), reason: reasonOf(error) }
}

function settlementOf(job: Job, error: Error): Settlement {
  if (error instanceof NotNeeded) return { state: 'cancelled', error: error.message }

  const { cause, summary, detail, status, to, retry, retryAfter } =
    error instanceof DeliveryError ? error : ourFault(error)
  const result = status === undefined && to === undefined ? undefined : { status, to }
  const failure = { cause, error: summary, detail, result }
  if (retry === 'never') return { state: 'failed', ...failure }

  const delay = retryDelay(JOBS[job.name].retry, job.attempts + 1, { retryAfter })
  if (delay === null) return { state: 'failed', ...failure, error: `${summary} We have stopped trying.` }
  return { state: 'waiting', ...failure, delay }
}

/** Foreign errors may quote personal data, as PostgreSQL quotes rows: their message is a detail. */
const ourFault = ({ message }: Error) =>
  new DeliveryError('Something went wrong on our side.', { cause: 'our_side', retry: 'later', detail: message })

/** Returns the log's text for an error: only the kind, if the error is foreign. */
function reasonOf(error: Error & { code?: unknown }): string {
  if (error instanceof DeliveryError || error instanceof NotNeeded) return error.message
  return [error.name, error.code].filter(Boolean).join(' ')
}
