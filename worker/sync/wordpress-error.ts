/** Why the posts could not be read, in a sentence for staff. `retryAfter`: milliseconds that WordPress wants us to wait. */
export class WordPressError extends Error {
  override name = 'WordPressError'
  /** The same request may well succeed a moment later. */
  readonly isTemporary: boolean
  readonly retryAfter: number

  constructor(
    message: string,
    {
      isTemporary = false,
      retryAfter = 0,
      cause,
    }: { isTemporary?: boolean; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.isTemporary = isTemporary
    this.retryAfter = retryAfter
  }
}
