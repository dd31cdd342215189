import type { FailureCause } from '../core/contract/jobs.ts'
import { printable } from './printable.ts'

/** What is known of a failed delivery. */
export type DeliveryFailure = {
  cause: FailureCause
  /** `never` when the same request would fail the same way. */
  retry: 'later' | 'never'
  /** The other side's own words, for staff only: they may name the visitor, but never contain a secret. */
  detail?: string
  /** How long the other side asked us to wait, in milliseconds. */
  retryAfter?: number
  /** The HTTP or SMTP status, if there was an answer. */
  status?: number
}

/**
 * A delivery that failed. Its message, `summary`, is in our own words and contains no personal data, so that it may be
 * logged. The advice to staff, the metrics and the overview follow `cause`.
 */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  override readonly cause: FailureCause
  readonly summary: string
  readonly retry: 'later' | 'never'
  readonly detail?: string
  readonly retryAfter?: number
  readonly status?: number
  /** The address that an e-mail was for. */
  to?: string

  constructor(summary: string, { cause, retry, detail, retryAfter, status }: DeliveryFailure) {
    super(summary)
    this.summary = summary
    this.cause = cause
    this.retry = retry
    this.detail = (detail && printable(detail)) || undefined
    this.retryAfter = retryAfter
    this.status = status
  }
}

/** Nothing needs to be done, and nothing failed. The ledger keeps the reason. */
export class NotNeeded extends Error {
  override name = 'NotNeeded'
}
