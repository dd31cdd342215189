/** In characters: enough for a JSON answer with an error for each field. */
const MAX_LENGTH = 2000
/** PostgreSQL stores neither NUL nor a lone surrogate, and other control characters disturb the reader. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]+/gu

/** Makes foreign text storable and readable: no control characters, at most 2,000 characters. */
export function printable(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(UNPRINTABLE, ' ').trim()
}
