import type { PostedProvider, SyncedFields } from '../../core/sync/rules/sync-plan.ts'
import {
  DEFAULT_MAPPING,
  type Mapped,
  type Mapping,
  SYNCED_FIELDS,
  type SyncedField,
} from '../../core/sync/rules/wordpress-mapping.ts'
import * as values from './values.ts'

/** A post of the REST API: an object, and nothing else is certain. */
export type Post = Record<string, unknown>

/** The highest id that the database can hold. */
const HIGHEST_ID = 2_147_483_647

const IMAGES = new Set<Mapped>(['image_url', 'logo_url'])
const FLAGS = new Set<Mapped>(['active', 'accepts_free_consultation', 'accepts_financing'])

type Options = { site: string; mapping?: Partial<Mapping> }
type Reader = (value: unknown) => string | number | boolean | null

/**
 * Maps a post to the fields of its provider. A missing field is absent, an empty one is null. Unusable values are
 * listed in `problems`, one sentence each.
 * @throws Error with a sentence when the post has no id
 */
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
      if (!(error instanceof values.BadValue)) throw error
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
    if (isFree && map && !values.isEmpty(map[member])) fields[field] = readers[field](map[member])
  }
  const isFlagged = read('active', values.flag) !== false
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
  const saysSomething = (value: unknown) => !values.isEmpty(value) || (value === false && FLAGS.has(field))
  return present.find(({ value }) => saysSomething(value)) ?? present[0]
}

/** The fields of a provider that a map has (Google Map of Advanced Custom Fields), and their members. */
const MAP_MEMBERS = { address: 'address', latitude: 'lat', longitude: 'lng', zipCode: 'post_code' } as const
/** The usual names of maps, beside the paths of the address and the coordinates. */
const MAPS = ['location', 'map', 'google_map'].flatMap((name) => [`acf.${name}`, `meta.${name}`])

/** Finds the map of a post, whose members fill the fields that are empty beside it. */
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
  const image = values.link(site)
  return {
    name: nameOf,
    practiceName: values.text,
    address: values.text,
    zipCode: values.zip,
    latitude: values.degrees(90),
    longitude: values.degrees(180),
    phone: values.phone,
    email: values.email,
    website: values.website,
    url: image,
    mpxapi: values.text,
    domain: values.domain,
    google_ads_id: values.text,
    bing_ads_id: values.text,
    image_url: image,
    logo_url: image,
    accepts_free_consultation: yes,
    accepts_financing: yes,
  }
}

/** Returns the name from a title, without WordPress's prefix of private and protected posts. */
function nameOf(title: unknown): string | null {
  return values.text(title)?.replace(/^(Private|Protected): /, '') || null
}

const yes: Reader = (value) => values.flag(value) ?? false

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
