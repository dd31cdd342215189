/** In characters. A JSON answer with an error for each field fits. */
const MAX_LENGTH = 2000
/** PostgreSQL stores neither NUL nor a lone surrogate, and other control characters disturb the reader. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]+/gu

/** Returns text of the other side as the ledger can store it and a person can read it: at most 2,000 characters. */
export function printable(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(UNPRINTABLE, ' ').trim()
}
