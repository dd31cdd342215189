import { z } from 'zod'
import type { SkippedPost } from '../contract/sync.ts'

/** The provider fields that come from a post, by the names of the contract. */
export const SYNCED_FIELDS = [
  'name',
  'practiceName',
  'address',
  'zipCode',
  'latitude',
  'longitude',
  'phone',
  'email',
  'website',
  'url',
  'mpxapi',
  'domain',
  'google_ads_id',
  'bing_ads_id',
  'image_url',
  'logo_url',
  'accepts_free_consultation',
  'accepts_financing',
] as const
export type SyncedField = (typeof SYNCED_FIELDS)[number]

export type SyncedFields = {
  [Field in SyncedField]: Field extends 'latitude' | 'longitude'
    ? number | null
    : Field extends 'accepts_free_consultation' | 'accepts_financing'
      ? boolean
      : string | null
}

/** A post. A missing field is absent and keeps the provider's value; an empty field is null. */
export type PostedProvider = {
  wordpressId: number
  title: string
  isActive: boolean
  /** Not published, for example a draft. */
  isHidden: boolean
  fields: Partial<SyncedFields>
  /** The reasons why it cannot be used, one sentence each. */
  problems: string[]
}

export type WordPressPosts = {
  posts: PostedProvider[]
  /** Posts without an id. */
  unusable: SkippedPost[]
  unreadable: number
  /** Known providers whose posts are certainly no longer published. */
  removed: Set<number>
}

/** The mapped values: the fields, and whether the provider takes leads. */
const MAPPED = [...SYNCED_FIELDS, 'active'] as const
export type Mapped = (typeof MAPPED)[number]

/**
 * The paths of each value in a post, like `acf.zip_code`. The first path that is not empty counts. Without a path, the
 * field keeps its value.
 */
export type Mapping = Record<Mapped, string[]>

const custom = (...names: string[]) => ['acf', 'meta'].flatMap((place) => names.map((name) => `${place}.${name}`))
const FEATURED_IMAGE = '_embedded.wp:featuredmedia.0.source_url'

// Stryker disable StringLiteral: a list of names decides nothing.
/** The usual names of Advanced Custom Fields or registered meta, and those of WP Store Locator and of WordPress’s geodata. */
export const DEFAULT_MAPPING: Mapping = {
  name: ['title.rendered'],
  practiceName: custom('practice_name', 'practiceName', 'practice'),
  address: custom('address', 'full_address', 'street_address', 'wpsl_address', 'geo_address'),
  zipCode: custom('zip_code', 'zipCode', 'zip', 'postal_code', 'wpsl_zip'),
  latitude: custom('latitude', 'lat', 'location.lat', 'wpsl_lat', 'geo_latitude'),
  longitude: custom('longitude', 'lng', 'lon', 'location.lng', 'wpsl_lng', 'geo_longitude'),
  phone: custom('phone', 'phone_number', 'telephone', 'wpsl_phone'),
  email: custom('email', 'email_address', 'lead_email', 'wpsl_email'),
  website: custom('website', 'website_url', 'wpsl_url'),
  url: ['link'],
  mpxapi: custom('mpxapi'),
  domain: custom('domain', 'microsite_domain'),
  google_ads_id: custom('google_ads_id'),
  bing_ads_id: custom('bing_ads_id'),
  image_url: [...custom('image_url', 'image', 'photo'), FEATURED_IMAGE],
  logo_url: custom('logo_url', 'logo'),
  accepts_free_consultation: custom('accepts_free_consultation', 'free_consultation'),
  accepts_financing: custom('accepts_financing', 'financing'),
  active: custom('active', 'is_active', 'status'),
}
// Stryker restore StringLiteral

const Path = z.string().regex(/^[^.\s]+(\.[^.\s]+)*$/)

/** Parses the setting that changes the mapping, as JSON: `{"zipCode": "acf.plz", "domain": null}`. */
export const MappingChanges = z.string().transform((text, check): Partial<Mapping> => {
  const read = Changes.safeParse(parsed(text))
  if (read.success) return read.data
  check.addIssue({
    code: 'custom',
    message: `must be JSON like {"zipCode": "acf.zip", "logo_url": null}, with only these names: ${MAPPED.join(', ')}`,
  })
  return z.NEVER
})

const Changes = z.partialRecord(
  z.enum(MAPPED),
  z.union([z.null().transform(() => []), Path.transform((path) => [path]), z.array(Path)]),
)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
