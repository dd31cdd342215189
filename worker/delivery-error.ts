import { printable } from './printable.ts'

/**
 * A delivery that did not succeed. Its message is for staff: what the other side said, which may well name the visitor,
 * but never a secret. `summary` is the same in our own words, for the log. `retry: 'never'` when the same request would
 * fail the same way; `askedFor` (milliseconds) when the other side said how long to wait.
 */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly summary: string
  readonly retry: 'later' | 'never'
  readonly askedFor?: number
  /** The HTTP or SMTP status, where there was an answer. */
  readonly status?: number

  constructor(
    message: string,
    {
      summary = message,
      retry,
      askedFor,
      status,
      cause,
    }: { summary?: string; retry: 'later' | 'never'; askedFor?: number; status?: number; cause?: unknown },
  ) {
    super(printable(message), { cause })
    this.summary = summary
    this.retry = retry
    this.askedFor = askedFor
    this.status = status
  }
}

/** Nothing is to be done, and nobody failed: the reason is kept in the ledger. */
export class NotNeeded extends Error {
  override name = 'NotNeeded'
}
