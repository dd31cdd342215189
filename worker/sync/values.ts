import { decodeHTMLStrict } from 'entities'
import { isEmailAddress, visible } from '../../core/contract/contact.ts'

const MAX_LENGTH = 1000
/** In characters, with markup. Checked before any pattern runs over the text. */
const MAX_LENGTH_WITH_MARKUP = 10 * MAX_LENGTH
/** PostgreSQL stores neither NUL nor a lone surrogate, and no field has lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\s]+/gu
/** A tag or a comment. Excludes `<`, which keeps the time linear. `a < b` has none. */
const TAG = /<(?:\/?([a-z][a-z0-9-]*)[^<>]*|![^<>]*)>/gi
/** Elements within a line. All others separate words, like `<br>` and `</p>`. */
const INLINE =
  /^(a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)$/i
/** The members of objects in which Advanced Custom Fields and WordPress hold a text: a choice, a map, a text, a term. */
const TEXT_MEMBERS = ['value', 'address', 'rendered', 'name']
/** The same for an address of the web: a link, an image, a choice. */
const URL_MEMBERS = ['url', 'source_url', 'value']
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

/**
 * Parses text: removes markup and invisible characters, and decodes entities. Entities without a semicolon stay:
 * `?a=1&copy=2`. Of an object, it is the text of a choice, of a map, or of a term.
 */
export const text: Read<string> = (given) => {
  const value = memberOf(given, TEXT_MEMBERS)
  if (isEmpty(value)) return null
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw new BadValue('must be text')
  if (value.length > MAX_LENGTH_WITH_MARKUP) {
    throw new BadValue(`must not be longer than ${MAX_LENGTH_WITH_MARKUP} characters, markup included`)
  }
  const untagged = value.replace(TAG, (_, name = '') => (name === '' || INLINE.test(name) ? '' : ' '))
  const plain = visible(decodeHTMLStrict(untagged)).replace(UNPRINTABLE, ' ').trim()
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

/** Parses exactly one email address, also from a link. */
export const email: Read<string> = (value) => {
  const given = text(linked(value))?.replace(/^mailto:([^?]*).*$/i, '$1')
  if (!given) return null
  if (!isEmailAddress(given)) throw new BadValue('must be one e-mail address')
  return given
}

/** Parses a phone number, also from a link. */
export const phone: Read<string> = (value) => text(linked(value))?.replace(/^tel:/i, '') || null

/** Parses degrees within `limit`. Zero counts as empty, because it may be an empty number and no provider is there. */
export const degrees =
  (limit: number): Read<number> =>
  (value) => {
    const given = text(value)
    if (given === null) return null
    // Word processors write a minus sign of their own.
    const number = Number(given.replace(/^[\u2212\u2013]/, '-'))
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

/** Parses a web address with or without https. A scheme without a host is empty, and a host without a dot (`N/A`) is none. */
export const website: Read<string> = (value) => {
  const given = text(memberOf(value, URL_MEMBERS))
  if (given === null || isPlaceholder(given)) return null
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(given)
  if (!isWebAddress(hasScheme ? given : `https://${given}`)) throw new BadValue('must be a web address')
  return given
}

/** Parses a full web address. A leading slash means the WordPress site. Images may come as objects with a URL. */
export const link =
  (site: string): Read<string> =>
  (value) => {
    const held = memberOf(value, URL_MEMBERS)
    const given = typeof held === 'object' ? null : text(held)
    if (given === null || EMPTY_SCHEME.test(given)) return null
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

/**
 * Returns the first of these members that an object has, or else the value itself. A list counts by its first value: meta with
 * several values comes as one.
 */
function memberOf(value: unknown, names: readonly string[]): unknown {
  const one = Array.isArray(value) && value.length > 0 ? value[0] : value
  if (typeof one !== 'object' || one === null) return one
  const name = names.find((each) => Object.hasOwn(one, each) && (each !== 'value' || Object.hasOwn(one, 'label')))
  return name === undefined ? one : Reflect.get(one, name)
}

/** Returns the address of a link to a phone or a mailbox, or else the value itself. */
function linked(value: unknown): unknown {
  const address = memberOf(value, ['url'])
  return typeof address === 'string' && /^(mailto|tel):/i.test(address) ? address : value
}

const EMPTY_SCHEME = /^[a-z][a-z0-9+.-]*:\/*$/i

/** Returns whether a text stands for no web address: a scheme without a host, or a host without a dot. */
function isPlaceholder(given: string): boolean {
  const host = given.replace(/^[a-z][a-z0-9+.-]*:\/*/i, '').split(/[/?#]/, 1)[0] ?? ''
  return !host.includes('.') && !/^(javascript|data):/i.test(given) && !/^localhost(:\d+)?$/i.test(host)
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}
