import type { KnownProvider } from '../../core/sync/rules/sync-plan.ts'
import type { PostedProvider, SyncedFields, WordPressPosts } from '../../core/sync/rules/wordpress-mapping.ts'

/** The fields of the provider of most tests, as WordPress has them. */
export const FIELDS: SyncedFields = {
  name: 'Dr. Ines Calloway',
  practiceName: 'Calloway Clinic',
  address: '1 Main Street',
  zipCode: '78701',
  latitude: 30.27,
  longitude: -97.74,
  phone: '(512) 555-0199',
  email: 'clinic@clinics.example',
  website: null,
  url: null,
  mpxapi: null,
  domain: null,
  google_ads_id: null,
  bing_ads_id: null,
  image_url: null,
  logo_url: null,
  accepts_free_consultation: true,
  accepts_financing: false,
}
/** A provider that came from the post with ten times its id. */
export const provider = (id: number, overrides: Partial<KnownProvider> = {}): KnownProvider => ({
  id,
  wordpressId: id * 10,
  isActive: true,
  isHidden: false,
  activation: 'activated',
  missedSyncs: 0,
  deliveryEmail: String(overrides.email ?? FIELDS.email),
  ...FIELDS,
  ...overrides,
})
/** The post of the provider with that id. */
export const post = (
  id: number,
  fields: Partial<SyncedFields> = {},
  rest: Partial<PostedProvider> = {},
): PostedProvider => ({
  wordpressId: id * 10,
  title: `Post ${id}`,
  isActive: true,
  isHidden: false,
  fields: { ...FIELDS, ...fields },
  problems: [],
  ...rest,
})
export const inactive = (id: number) => post(id, {}, { isActive: false })
export const reading = (posts: PostedProvider[], rest: Partial<WordPressPosts> = {}): WordPressPosts => ({
  posts,
  unusable: [],
  unreadable: 0,
  removed: new Set(),
  ...rest,
})
