const LONGEST = 500
/** PostgreSQL takes neither NUL nor a lone surrogate, and the other control characters disturb whoever reads them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]+/gu

/** What the other side said, as the ledger can keep it and a person can read it: 500 characters at most. */
export function printable(text: string): string {
  return text.slice(0, LONGEST).replace(UNPRINTABLE, ' ').trim()
}
