import { decodeHTMLStrict } from 'entities'
import { z } from 'zod'

const MAX_LENGTH = 1000
/** In characters, with markup. Checked before any pattern runs over the text. */
const MAX_LENGTH_WITH_MARKUP = 10 * MAX_LENGTH
/** PostgreSQL stores neither NUL nor a lone surrogate, and no field has lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]+/gu
/** Excludes `<`, which keeps the time linear. */
const TAG = /<[^<>]*>/g

const EmailAddress = z.email().max(254)
const YES = ['1', 'true', 't', 'yes', 'y', 'on', 'active']
const NO = ['0', 'false', 'f', 'no', 'n', 'off', 'inactive']

/** A value that its field cannot store. The message is a sentence without its subject: `must be …`. */
export class BadValue extends Error {
  override name = 'BadValue'
}

/**
 * Parses a value of a field. Returns null for an empty one: null, an empty text, or WordPress's forms of an empty
 * field.
 */
type Read<Value> = (value: unknown) => Value | null

/** Parses text: removes markup and decodes entities. Entities without a semicolon stay: `?a=1&copy=2`. */
export const text: Read<string> = (value) => {
  if (isEmpty(value)) return null
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw new BadValue('must be text')
  if (value.length > MAX_LENGTH_WITH_MARKUP) {
    throw new BadValue(`must not be longer than ${MAX_LENGTH_WITH_MARKUP} characters, markup included`)
  }
  const plain = decodeHTMLStrict(value.replace(TAG, '')).replace(UNPRINTABLE, ' ').trim()
  if (plain.length > MAX_LENGTH) throw new BadValue(`must not be longer than ${MAX_LENGTH} characters`)
  return plain || null
}

/** Parses a zip code into five digits. Restores leading zeros that a number has lost, and leaves out the +4. */
export const zip: Read<string> = (value) => {
  const given = text(value)
  if (given === null) return null
  const [, digits] = /^(\d{3,5})(?:-?\d{4})?$/.exec(given) ?? []
  if (!digits || Number(digits) === 0) throw new BadValue('must be a US zip code of five digits')
  return digits.padStart(5, '0')
}

/** Parses exactly one e-mail address. */
export const email: Read<string> = (value) => {
  const given = text(value)
  if (given === null) return null
  if (!EmailAddress.safeParse(given).success) throw new BadValue('must be one e-mail address')
  return given
}

/** Parses degrees within `limit`. Zero counts as empty, because it may be an empty number and no provider is there. */
export const degrees =
  (limit: number): Read<number> =>
  (value) => {
    const given = text(value)
    if (given === null) return null
    const number = Number(given)
    if (!Number.isFinite(number) || Math.abs(number) > limit) {
      throw new BadValue(`must be a number from -${limit} to ${limit}`)
    }
    return number === 0 ? null : number
  }

/** Parses yes or no. Returns null for an empty value. */
export const flag: Read<boolean> = (value) => {
  if (typeof value === 'boolean') return value
  const given = text(value)?.toLowerCase()
  if (given === undefined) return null
  if (YES.includes(given)) return true
  if (NO.includes(given)) return false
  throw new BadValue('must be yes or no')
}

/** Parses a web address with or without https. */
export const website: Read<string> = (value) => {
  const given = text(value)
  if (given === null) return null
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(given)
  if (!isWebAddress(hasScheme ? given : `https://${given}`)) throw new BadValue('must be a web address')
  return given
}

/** Parses a full web address. A leading slash means the WordPress site. Images may come as objects with a URL. */
export const link =
  (site: string): Read<string> =>
  (value) => {
    const held = typeof value === 'object' && value !== null ? Reflect.get(value, 'url') : value
    const given = text(held)
    if (given === null) return null
    const base = given.startsWith('/') ? `${site}/` : undefined
    const whole = URL.canParse(given, base) ? new URL(given, base).href : given
    if (!isWebAddress(whole)) throw new BadValue('must be a web address')
    return whole
  }

/** Parses a host name, also from the address of a site. */
export const domain: Read<string> = (value) => {
  const given = text(value)?.toLowerCase()
  if (given === undefined) return null
  const address = given.includes('://') ? given : `https://${given}`
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, '') : ''
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host)) throw new BadValue('must be a host name')
  return host
}

/** Returns whether a field is empty: for WordPress null or '', for Advanced Custom Fields false or []. */
export function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === false ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  )
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}
