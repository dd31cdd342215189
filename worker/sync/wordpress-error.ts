/** Why the posts could not be read, in a sentence for staff. `askedFor`: milliseconds that WordPress wants us to wait. */
export class WordPressError extends Error {
  override name = 'WordPressError'
  /** The same request may well succeed a moment later. */
  readonly isTemporary: boolean
  readonly askedFor: number

  constructor(
    message: string,
    { isTemporary = false, askedFor = 0, cause }: { isTemporary?: boolean; askedFor?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.isTemporary = isTemporary
    this.askedFor = askedFor
  }
}
