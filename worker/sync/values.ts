import { decodeHTMLStrict } from 'entities'
import { z } from 'zod'

const MAX_LENGTH = 1000
/** Of a value with its markup, in characters. Checked before anything passes over the text. */
const MAX_LENGTH_WITH_MARKUP = 10 * MAX_LENGTH
/** PostgreSQL takes neither NUL nor a lone surrogate, and no field has lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]+/gu
/** A `<` ends the search for `>`, which keeps the time linear. */
const TAG = /<[^<>]*>/g

const EmailAddress = z.email().max(254)
const YES = ['1', 'true', 't', 'yes', 'y', 'on', 'active']
const NO = ['0', 'false', 'f', 'no', 'n', 'off', 'inactive']

/** A value that the field cannot take. The message is a sentence without its subject: `must be …`. */
export class BadValue extends Error {
  override name = 'BadValue'
}

/** Each returns null for a value that says nothing: null, an empty text, or what WordPress makes of an empty field. */
type Read<Value> = (value: unknown) => Value | null

/** Text without markup, entities decoded. Where an entity lacks its semicolon it is none: `?a=1&copy=2` stays. */
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

/** The five digits. A number has lost its leading zeros; the four digits after the dash are left out. */
export const zip: Read<string> = (value) => {
  const given = text(value)
  if (given === null) return null
  const [, digits] = /^(\d{3,5})(?:-?\d{4})?$/.exec(given) ?? []
  if (!digits || Number(digits) === 0) throw new BadValue('must be a US zip code of five digits')
  return digits.padStart(5, '0')
}

/** Exactly one address. */
export const email: Read<string> = (value) => {
  const given = text(value)
  if (given === null) return null
  if (!EmailAddress.safeParse(given).success) throw new BadValue('must be one e-mail address')
  return given
}

/** Degrees within `limit`. No provider is at 0, which is what an empty number may look like. */
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

/** Yes or no; null where nothing was said. */
export const flag: Read<boolean> = (value) => {
  if (typeof value === 'boolean') return value
  const given = text(value)?.toLowerCase()
  if (given === undefined) return null
  if (YES.includes(given)) return true
  if (NO.includes(given)) return false
  throw new BadValue('must be yes or no')
}

/** A web address as people type it, with or without https. */
export const website: Read<string> = (value) => {
  const given = text(value)
  if (given === null) return null
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(given)
  if (!isWebAddress(hasScheme ? given : `https://${given}`)) throw new BadValue('must be a web address')
  return given
}

/** A whole web address; what starts with a slash is on the WordPress site. Images may come as objects that hold theirs. */
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

/** A host name, also where somebody has typed the address of the site. */
export const domain: Read<string> = (value) => {
  const given = text(value)?.toLowerCase()
  if (given === undefined) return null
  const address = given.includes('://') ? given : `https://${given}`
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, '') : ''
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host)) throw new BadValue('must be a host name')
  return host
}

/** An empty field: of WordPress (null, ''), of Advanced Custom Fields (false, []). */
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
