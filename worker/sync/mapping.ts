import { decodeHTMLStrict } from 'entities'
import { isEmailAddress, visible } from '../../core/contract/forms.ts'
import type { PostedProvider, SyncedFields } from '../../core/sync/rules/wordpress-mapping.ts'
import {
  DEFAULT_MAPPING,
  type Mapped,
  type Mapping,
  SYNCED_FIELDS,
  type SyncedField,
} from '../../core/sync/rules/wordpress-mapping.ts'

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
class BadValue extends Error {
  override name = 'BadValue'
}

/** Returns null for an empty value: null, an empty text, or WordPress's forms of an empty field. */
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
  if (!isEmailAddress(given)) throw new BadValue('must be one email address')
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

/** Returns the first of these members, else the value. A list counts by its first value, as of meta with several. */
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

/** A post of the REST API: an object, and nothing else is certain. */
export type Post = Record<string, unknown>

/** The highest id that the database can hold. */
const HIGHEST_ID = 2_147_483_647

const IMAGES = new Set<Mapped>(['image_url', 'logo_url'])
const FLAGS = new Set<Mapped>(['active', 'accepts_free_consultation', 'accepts_financing'])

type Options = { site: string; mapping?: Partial<Mapping> }
type Reader = (value: unknown) => string | number | boolean | null

/** A missing field is absent, an empty one null; `problems` has a sentence per bad one. @throws Error without an id */
export function mapPost(post: unknown, { site, mapping }: Options): PostedProvider {
  if (!isObject(post)) throw new Error('It is not a post.')
  const wordpressId = typeof post.id === 'string' ? Number(post.id) : post.id
  if (
    typeof wordpressId !== 'number' ||
    !Number.isInteger(wordpressId) ||
    wordpressId < 1 ||
    wordpressId > HIGHEST_ID
  ) {
    throw new Error('It has no usable id.')
  }
  const paths = { ...DEFAULT_MAPPING, ...mapping }
  const problems: string[] = []
  const read = (field: Mapped, reader: Reader) => {
    const found = findValue(post, field, paths[field])
    if (found === undefined) return undefined
    try {
      return reader(found.value)
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      problems.push(`${field} (${found.path}) ${error.message}.`)
      return undefined
    }
  }

  const fields: Record<string, unknown> = {}
  const readers = readersFor(site)
  for (const field of SYNCED_FIELDS) {
    const value = read(field, readers[field])
    if (value !== undefined) fields[field] = value
  }
  const map = findMap(post, paths)
  for (const [field, member] of Object.entries(map ? MAP_MEMBERS : {}) as [SyncedField, string][]) {
    const isFree = paths[field].length > 0 && (fields[field] === undefined || fields[field] === null)
    if (isFree && map && !isEmpty(map[member])) fields[field] = readers[field](map[member])
  }
  const isFlagged = read('active', flag) !== false
  const status = post.status ?? 'publish'
  return {
    wordpressId,
    title: titleOf(post),
    isActive: isFlagged && status === 'publish',
    isHidden: status !== 'publish',
    fields: tidied(fields),
    problems,
  }
}

/** Returns a readable title of any post, valid or not, for reports. */
export function titleOf(post: unknown): string {
  const title = isObject(post) ? lookUp(post, 'title.rendered') : undefined
  try {
    return title === undefined ? '' : (nameOf(title) ?? '')
  } catch {
    return ''
  }
}

/**
 * Returns the first path with a value, else the first that is present but empty, else undefined. For flags, false is a
 * value. An image given as the bare id of its file is none.
 */
export function findValue(post: Post, field: Mapped, paths: string[]): { path: string; value: unknown } | undefined {
  const present = paths
    .map((path) => ({ path, value: unwrapped(lookUp(post, path)) }))
    .filter(({ value }) => value !== undefined && !(IMAGES.has(field) && isFileId(value)))
  const saysSomething = (value: unknown) => !isEmpty(value) || (value === false && FLAGS.has(field))
  return present.find(({ value }) => saysSomething(value)) ?? present[0]
}

/** The fields of a provider that a map has (Google Map of Advanced Custom Fields), and their members. */
const MAP_MEMBERS = { address: 'address', latitude: 'lat', longitude: 'lng', zipCode: 'post_code' } as const
/** The usual names of maps, in addition to the paths of the address and the coordinates. */
const MAPS = ['location', 'map', 'google_map'].flatMap((name) => [`acf.${name}`, `meta.${name}`])

/** Finds the map of a post, whose members fill the empty fields. */
function findMap(post: Post, { address, latitude }: Mapping): Post | undefined {
  const parents = latitude.flatMap((path) => (/\..*\.lat$/.test(path) ? path.replace(/\.lat$/, '') : []))
  return [...address, ...parents, ...MAPS]
    .map((path) => unwrapped(lookUp(post, path)))
    .find(
      (value): value is Post =>
        isObject(value) && [value.lat, value.lng].every((degrees) => Number(degrees) || degrees === 0),
    )
}

function isFileId(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
}

/** Lists the members of a post that the mapping reads, so that WordPress need not send the others. */
export function neededMembers(mapping?: Partial<Mapping>): string[] {
  const paths = Object.values({ ...DEFAULT_MAPPING, ...mapping }).flat()
  const members = paths.map((path) => path.split('.')[0] as string)
  return [...new Set(['id', 'status', 'title', 'featured_media', '_links', '_embedded', ...members])]
}

function readersFor(site: string): Record<keyof SyncedFields, Reader> {
  const image = link(site)
  return {
    name: nameOf,
    practiceName: text,
    address: text,
    zipCode: zip,
    latitude: degrees(90),
    longitude: degrees(180),
    phone: phone,
    email: email,
    website: website,
    url: image,
    mpxapi: text,
    domain: domain,
    google_ads_id: text,
    bing_ads_id: text,
    image_url: image,
    logo_url: image,
    accepts_free_consultation: yes,
    accepts_financing: yes,
  }
}

/** Leaves out WordPress's prefix of private and protected posts. */
function nameOf(title: unknown): string | null {
  return text(title)?.replace(/^(Private|Protected): /, '') || null
}

const yes: Reader = (value) => flag(value) ?? false

/** Drops coordinates of which only one is known. */
function tidied(fields: Partial<SyncedFields>): Partial<SyncedFields> {
  const { latitude, longitude } = fields
  if (latitude === undefined && longitude === undefined) return fields
  if (typeof latitude === 'number' && typeof longitude === 'number') return fields
  return { ...fields, latitude: null, longitude: null }
}

function lookUp(post: Post, path: string): unknown {
  // A post without a featured image embeds nothing, which means that there is none.
  if (path.startsWith('_embedded.wp:featuredmedia') && post.featured_media === 0) return null
  let value: unknown = post
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** Unwraps a list of one value: meta with several values comes as a list. */
function unwrapped(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] ?? null) : value
}

function isObject(value: unknown): value is Post {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
