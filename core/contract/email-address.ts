import { z } from 'zod'

/** The longest address that SMTP carries (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL_LENGTH = 254

/**
 * Matches what a browser's field of the type email takes (HTML, “valid email address”; `z.regexes.html5Email`), as far as SMTP
 * can reach it: the local part is a dot-string (RFC 5321, 4.1.2), and the domain ends with a name of two or more characters
 * that is no number. No character of it can end a header or a command.
 */
const EMAIL_ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[0-9-]*[a-z])[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/i

/** Invisible characters, which copy and paste brings along: zero width spaces, direction marks, soft hyphens. */
const INVISIBLE = /\p{Cf}/gu

/** Returns a text without invisible characters. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** Returns a typed line without invisible characters and outer spaces. */
export const cleaned = (typed: string) => visible(typed).trim()

/** Returns whether a text is exactly one email address that can be written to. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL_ADDRESS.test(text)
}

/** Returns the schema of one email address, which is cleaned. Every address that is typed, synced, set or sent to goes by it. */
export const emailAddress = (error: string, tooLong = error) =>
  z
    .string()
    .overwrite(cleaned)
    .pipe(z.email({ pattern: EMAIL_ADDRESS, error }).max(MAX_EMAIL_LENGTH, tooLong))
