/**
 * A failure to read the posts. The message is a sentence for staff. `retryAfter` is the wait that WordPress asks for,
 * in milliseconds.
 */
export class WordPressError extends Error {
  override name = 'WordPressError'
  /** The same request may succeed later. */
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
