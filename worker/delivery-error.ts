import type { FailureCause } from '../core/deliveries/contract/jobs.ts'
import { JOBS } from '../core/deliveries/jobs.ts'
import { retryDelay } from '../core/deliveries/rules/failures.ts'
import type { Job, Settlement } from '../core/deliveries/stores/attempts.ts'
import type { SentMessage } from '../core/deliveries/stores/sent-messages.ts'

type DeliveryFailure = {
  cause: FailureCause
  /** `never` when the same request would fail the same way. */
  retry: 'later' | 'never'
  /** The receiver's own text, for staff only: it may name the visitor, but never contains a secret. */
  detail?: string
  /** The wait that the receiver asked for, in milliseconds. */
  retryAfter?: number
  /** The HTTP or SMTP status, if there was an answer. */
  status?: number
}

/** The message is ours, without personal data, and may be logged. Advice, metrics and overview follow `cause`. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  override readonly cause: FailureCause
  readonly retry: 'later' | 'never'
  readonly detail?: string
  readonly retryAfter?: number
  readonly status?: number
  /** The recipient of the email. */
  to?: string
  /** What was sent, or was to be sent. It is kept with the job. */
  sent?: SentMessage

  constructor(message: string, { cause, retry, detail, retryAfter, status }: DeliveryFailure) {
    super(message)
    this.cause = cause
    this.retry = retry
    this.detail = (detail && printable(detail)) || undefined
    this.retryAfter = retryAfter
    this.status = status
  }
}

/** A job with nothing to do. It counts as cancelled, and the ledger keeps the reason. */
export class NotNeeded extends Error {
  override name = 'NotNeeded'
}

/** A delivery that the stopping worker did not begin. Nothing is recorded, and another worker gets the job. */
export class HandedBack extends Error {
  override name = 'HandedBack'
}

/** Returns the log's text for an error: only the kind, if the error is foreign. */
export function reasonOf(error: Error & { code?: unknown }): string {
  if (error instanceof DeliveryError || error instanceof NotNeeded) return error.message
  return [error.name, error.code].filter(Boolean).join(' ')
}

/** In characters: enough for a JSON answer with an error for each field. */
const MAX_LENGTH = 2000
/** PostgreSQL stores neither NUL nor a lone surrogate, and other control characters disturb the reader. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]+/gu

/** Makes foreign text storable and readable: no control characters, at most 2,000 characters. */
export function printable(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(UNPRINTABLE, ' ').trim()
}

/** Returns the settlement of an attempt that failed: cancelled, failed permanently, or waiting while attempts are left. */
export function settlementOf(job: Job, error: Error): Settlement {
  if (error instanceof NotNeeded) return { state: 'cancelled', error: error.message }

  const failed = error instanceof DeliveryError ? error : ourFault(error)
  const { cause, message, detail, status, to, retry, retryAfter } = failed
  const result = status === undefined && to === undefined ? undefined : { status, to }
  const failure = { cause, error: message, detail, result }
  if (retry === 'never') return { state: 'failed', ...failure }

  const delay = retryDelay(JOBS[job.name].retry, job.attempts + 1, { retryAfter })
  if (delay === null) return { state: 'failed', ...failure, error: `${message} We have stopped trying.` }
  return { state: 'waiting', ...failure, delay }
}

/** Foreign errors may quote personal data, as PostgreSQL quotes rows: their message is a detail. */
const ourFault = ({ message }: Error) =>
  new DeliveryError('Something went wrong on our side.', { cause: 'our_side', retry: 'later', detail: message })
