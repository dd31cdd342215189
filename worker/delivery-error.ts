/**
 * A delivery that did not succeed. Its message is for staff: what the other side said, and never a secret or anything
 * about the visitor. `retry: 'never'` when the same request would fail the same way; `askedFor` (milliseconds) when the
 * other side said how long to wait.
 */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly retry: 'later' | 'never'
  readonly askedFor?: number
  /** The HTTP or SMTP status, where there was an answer. */
  readonly status?: number

  constructor(
    message: string,
    {
      retry,
      askedFor,
      status,
      cause,
    }: { retry: 'later' | 'never'; askedFor?: number; status?: number; cause?: unknown },
  ) {
    super(message, { cause })
    this.retry = retry
    this.askedFor = askedFor
    this.status = status
  }
}

/** Nothing is to be done, and nobody failed: the reason is kept in the ledger. */
export class NotNeeded extends Error {
  override name = 'NotNeeded'
}
