import type { FailureCause } from '../core/deliveries/contract/jobs.ts'
import type { SentMessage } from '../core/deliveries/stores/sent-messages.ts'
import { printable } from './printable.ts'

/** The facts about a failed delivery. */
export type DeliveryFailure = {
  cause: FailureCause
  /** `never` when the same request would fail the same way. */
  retry: 'later' | 'never'
  /** The other side's own text, for staff only: it may name the visitor, but never contains a secret. */
  detail?: string
  /** The wait that the other side asked for, in milliseconds. */
  retryAfter?: number
  /** The HTTP or SMTP status, if there was an answer. */
  status?: number
}

/**
 * A failed delivery. Its message, `summary`, is ours and contains no personal data, so it may be logged. The advice to
 * staff, the metrics and the overview follow `cause`.
 */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  override readonly cause: FailureCause
  readonly summary: string
  readonly retry: 'later' | 'never'
  readonly detail?: string
  readonly retryAfter?: number
  readonly status?: number
  /** The recipient of the e-mail. */
  to?: string
  /** What was sent, or was to be sent. It is kept with the job. */
  sent?: SentMessage

  constructor(summary: string, { cause, retry, detail, retryAfter, status }: DeliveryFailure) {
    super(summary)
    this.summary = summary
    this.cause = cause
    this.retry = retry
    this.detail = (detail && printable(detail)) || undefined
    this.retryAfter = retryAfter
    this.status = status
  }

  /** Returns the same failure with what was sent. One failure of a call is that of each message in it. */
  withSent(sent: SentMessage | undefined): DeliveryError {
    return Object.assign(new DeliveryError(this.summary, this), { to: this.to, sent })
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
