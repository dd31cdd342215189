import { z } from 'zod'
import { defineCall, RowParams } from '../../contract/call.ts'
import { PackedPoints } from '../../contract/places.ts'
import { Obstacle } from './provider-rules.ts'

/** An optional text, also missing. The browser takes answers that have no more than the specified fields. */
const OptionalText = z.string().nullable().catch(null)

/** Degrees, which may arrive as a text. */
const Degrees = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number().nullable().catch(null),
)

/**
 * A new address from WordPress that is not in use yet. The provider confirms it on its own pages, or a manager does. `is_declined`: a
 * manager keeps the old address.
 */
export const NewEmail = z.object({
  email: z.string(),
  since: z.iso.datetime(),
  /** The run of the provider sync that found it. */
  sync_id: z.number().int().nullable(),
  is_declined: z.boolean(),
  /** The state of the email that asks for the confirmation. */
  asked: z.enum(['pending', 'sent', 'failed']),
  error: z.string().nullable(),
})
export type NewEmail = z.infer<typeof NewEmail>

/** The body of `decideNewEmail`. `email` is the address that was shown, so that no other is confirmed. */
export const NewEmailDecision = z.object({
  email: z.string().min(1).max(254),
  decision: z.enum(['confirm', 'keep'], { error: 'Choose confirm or keep' }),
})
export type NewEmailDecision = z.output<typeof NewEmailDecision>

/** The public fields of a provider. `status` is `t` (active) or `f` (inactive). */
export const PublicProvider = z.object({
  id: z.number().int(),
  name: z.string(),
  practiceName: OptionalText,
  address: OptionalText,
  zipCode: z.string(),
  status: z.enum(['t', 'f']).catch('t'),
  latitude: Degrees,
  longitude: Degrees,
  phone: OptionalText,
  website: OptionalText,
  url: OptionalText,
  domain: OptionalText,
  image_url: OptionalText,
  logo_url: OptionalText,
  accepts_free_consultation: z.boolean().catch(false),
  accepts_financing: z.boolean().catch(false),
})
export type PublicProvider = z.infer<typeof PublicProvider>

/** The public fields of one provider. A microsite also needs its city, that of its zip code, and its ad ids. */
export const MicrositeProvider = PublicProvider.extend({
  city: OptionalText,
  state: OptionalText,
  google_ads_id: OptionalText,
  bing_ads_id: OptionalText,
})
export type MicrositeProvider = z.infer<typeof MicrositeProvider>

/** Returns whether visitors may see a provider. An inactive provider without a published post is hidden. */
export function isPublic({ status, hidden }: Pick<StaffProvider, 'status' | 'hidden'>): boolean {
  return status === 't' || !hidden
}

/** Clears the fields that only an active provider shows: its contact details and ad ids. */
const OF_ACTIVE = { phone: null, website: null, url: null, domain: null, google_ads_id: null, bing_ads_id: null }

/**
 * Returns the public fields of a provider. Contact details of an inactive one are left out, because it takes no new
 * patients. The map shows its name and address.
 */
export function publicView<Shape extends typeof PublicProvider | typeof MicrositeProvider>(
  shape: Shape,
  provider: z.input<Shape>,
): z.output<Shape> {
  return shape.parse(provider.status === 'f' ? { ...provider, ...OF_ACTIVE } : provider) as z.output<Shape>
}

export const StaffProvider = MicrositeProvider.extend({
  wordpress_id: z.number().int().nullable().catch(null),
  email: z.string(),
  /** The address that gets its requests: its own, which it has confirmed, or that of WordPress. */
  requestEmail: z.string(),
  mpxapi: OptionalText,
  /** The error of fetching a picture or the logo, as a sentence. */
  picture_problem: OptionalText,
  leadCount: z.number().int().catch(0),
  /** An inactive provider that only staff see: its post is a draft, private or deleted. */
  hidden: z.boolean().catch(false),
  /** Whether it may get leads: `waiting` for a manager or its own address to activate it, after a sync has created it. */
  activation: z.enum(['activated', 'waiting', 'never']).catch('activated'),
  /** A new address from WordPress that is not in use yet; null if there is none. */
  new_email: NewEmail.nullable().catch(null),
  /** Why the provider gets no leads at this moment: it is paused or full. Null: it gets some. */
  obstacle: Obstacle.nullable().catch(null),
})
export type StaffProvider = z.infer<typeof StaffProvider>

export const ProviderParams = z.object({ providerId: RowParams.shape.id })

export const HostnameParams = z.object({
  hostname: z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(253)
    .regex(/^\P{Cc}+$/u),
})

/** The most providers that one call can ask for by id. */
export const MAX_PROVIDER_IDS = 50

/**
 * The query of `listProviders`. Maps show thousands of providers: they ask for ids and coordinates only
 * (`view=points`, `PackedPoints`), and for all fields of a few by `ids`. The public list is sorted by name, has
 * `PUBLIC_PROVIDERS_PER_PAGE` on a page, and a `Link` header to the next `page`.
 */
export const ProviderListQuery = z.object({
  page: z.coerce.number<number>().int().min(1).max(10_000).default(1),
  status: z.enum(['active', 'inactive']).default('active'),
  view: z.enum(['full', 'points']).default('full'),
  ids: z
    .string()
    .regex(/^\d{1,9}(,\d{1,9})*$/, 'The ids must be numbers separated by commas')
    .transform((text) => text.split(',').map(Number))
    .pipe(z.array(z.number()).max(MAX_PROVIDER_IDS, `No more than ${MAX_PROVIDER_IDS} ids can be asked for at once`))
    .optional(),
})

export const PUBLIC_PROVIDERS_PER_PAGE = 500

/** The query of `exportProviders`. Without `status`, it exports all. */
const ProviderExportQuery = z.object({ status: z.enum(['active', 'inactive']).optional() })

export const listProviders = defineCall({
  method: 'GET',
  path: '/api/providers',
  summary:
    'List the active or the inactive providers: all fields, only coordinates, or only some providers. Staff get every field.',
  access: 'public',
  variesByStaff: true,
  input: { query: ProviderListQuery },
  output: z.union([z.array(StaffProvider), z.array(PublicProvider), PackedPoints]),
})

export const exportProviders = defineCall({
  method: 'GET',
  path: '/api/providers.csv',
  summary: 'Export the providers with the number of their leads as CSV.',
  access: 'manager',
  needsConfirmation: true,
  input: { query: ProviderExportQuery },
  output: z.string(),
  type: 'text/csv',
})

export const getProvider = defineCall({
  method: 'GET',
  path: '/api/providers/:providerId',
  summary: 'Get a provider.',
  access: 'public',
  variesByStaff: true,
  input: { params: ProviderParams },
  output: z.union([StaffProvider, MicrositeProvider]),
})

export const getProviderOfHost = defineCall({
  method: 'GET',
  path: '/api/providers/domain/:hostname',
  summary: 'Get the provider of a host name.',
  access: 'public',
  variesByStaff: true,
  input: { params: HostnameParams },
  output: z.union([StaffProvider, MicrositeProvider]),
})

export const getContactCard = defineCall({
  method: 'GET',
  path: '/api/providers/:providerId/contact.vcf',
  summary: 'Get the phone number of an active provider as a contact for an address book (vCard 3.0).',
  access: 'public',
  input: { params: ProviderParams },
  output: z.string(),
  type: 'text/vcard',
})

export const decideNewEmail = defineCall({
  method: 'POST',
  path: '/api/providers/:providerId/new-email',
  summary: 'Confirm the new address of a provider, or keep the old one.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: ProviderParams, body: NewEmailDecision },
})

export const activateProvider = defineCall({
  method: 'POST',
  path: '/api/providers/:providerId/activate',
  summary: 'Activate a new provider of a sync, so that it gets leads and visitors see it.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: ProviderParams },
})

type Place = Pick<PublicProvider, 'address' | 'zipCode'>

/**
 * Returns a provider's address on one line as US mail has it: `120 Linden Street, Austin, TX 78701`, without a comma
 * after the state. The address may already contain its zip code. Without an address it is the zip code alone.
 */
export function fullAddress({ address, zipCode }: Place): string {
  const street = address?.trim().replace(/,(?=\s*\d{5}(?:-\d{4})?$)/, '')
  if (!street) return zipCode
  if (street.includes(zipCode)) return street
  return /\b[A-Z]{2}$/.test(street) ? `${street} ${zipCode}` : `${street}, ${zipCode}`
}

/** Returns whether there is more of the address than a zip code, so that there is a way to it. */
export const hasStreet = (provider: Place) => fullAddress(provider) !== provider.zipCode

/**
 * Returns the address of a map with the way to a provider. It opens the app on phones that have one
 * (https://developers.google.com/maps/documentation/urls/get-started#directions-action).
 */
export function directionsUrl(provider: Place & Pick<PublicProvider, 'name' | 'practiceName'>): string {
  const destination = `${provider.practiceName || provider.name}, ${fullAddress(provider)}`
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination })}`
}

/** Returns an address in its parts. A street that ends with the city and the state is cut before them. */
export function addressParts({ address, city, state }: Place & { city: string | null; state: string | null }) {
  const whole = (address ?? '').trim().replace(/,?\s*\d{5}(-\d{4})?$/, '')
  const end = city && state ? `, ${city}, ${state}` : ''
  const street = end && whole.toLowerCase().endsWith(end.toLowerCase()) ? whole.slice(0, -end.length) : whole
  const isSplit = street !== whole || !whole.includes(',')
  return isSplit ? { street, city, state } : { street: whole, city: null, state: null }
}
