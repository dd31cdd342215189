import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from './call.ts'
import { PROVIDERS_PATH } from './page.ts'
import { NewEmail, NewEmailDecision } from './provider-emails.ts'
import { PackedPoints } from './provider-points.ts'

/** What anybody may know about a provider. `status` is `t` (active) or `f` (inactive). */
export const PublicProvider = z.object({
  id: z.number().int(),
  name: z.string(),
  practiceName: z.string().nullable(),
  address: z.string().nullable(),
  zipCode: z.string(),
  status: z.enum(['t', 'f']),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  url: z.string().nullable(),
  domain: z.string().nullable(),
  image_url: z.string().nullable(),
  logo_url: z.string().nullable(),
  accepts_free_consultation: z.boolean(),
  accepts_financing: z.boolean(),
})
export type PublicProvider = z.infer<typeof PublicProvider>

/** One provider by id or by domain: a microsite also needs its own ad ids. */
export const MicrositeProvider = PublicProvider.extend({
  google_ads_id: z.string().nullable(),
  bing_ads_id: z.string().nullable(),
})
export type MicrositeProvider = z.infer<typeof MicrositeProvider>

/** Whether visitors may know of a provider: not where its post is not published. */
export function isPublic({ status, hidden }: Pick<StaffProvider, 'status' | 'hidden'>): boolean {
  return status === 't' || !hidden
}

/** What only an active provider needs: the ways to get in touch with it, and its ads. */
const OF_ACTIVE = { phone: null, website: null, url: null, domain: null, google_ads_id: null, bing_ads_id: null }

/**
 * A provider as anybody may see it, by one of the two shapes above. An inactive one takes no new patients, so its contact
 * details are left out; name and address stay, because the map shows them.
 */
export function publicView<Shape extends typeof PublicProvider | typeof MicrositeProvider>(
  shape: Shape,
  provider: z.input<Shape>,
): z.output<Shape> {
  return shape.parse(provider.status === 'f' ? { ...provider, ...OF_ACTIVE } : provider) as z.output<Shape>
}

/** What the same calls answer to staff. */
export const StaffProvider = MicrositeProvider.extend({
  wordpress_id: z.number().int().nullable(),
  /** Where mail about leads goes. */
  email: z.string(),
  mpxapi: z.string().nullable(),
  /** Why a picture or the logo could not be fetched, a sentence. */
  picture_problem: z.string().nullable(),
  leadCount: z.number().int(),
  /** Its post is a draft, private or gone: an inactive provider that only staff see. */
  hidden: z.boolean(),
  /** Another address that WordPress says, while mail goes to `email`; null: WordPress says the same. */
  new_email: NewEmail.nullable(),
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

/** Providers that one call can ask for by id. */
export const MAX_PROVIDER_IDS = 50

/**
 * `GET /api/providers` lists the active ones, `?status=inactive` the others. For maps, which show thousands:
 * `view=points` tells only ids and coordinates of those that have any (`PackedPoints`), and `ids` the whole of some of
 * them. Others than staff get `PUBLIC_PROVIDERS_PER_PAGE` at once, by name, and a `Link` header to the next `page`.
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

/** The most providers that one answer has for others than staff. */
export const PUBLIC_PROVIDERS_PER_PAGE = 500

/** `GET /api/providers.csv` has all of them, or only the active or the inactive ones. */
export const ProviderExportQuery = z.object({ status: z.enum(['active', 'inactive']).optional() })

export const listProviders = defineCall({
  method: 'GET',
  path: PROVIDERS_PATH,
  summary: 'Active providers, or the inactive ones; only where they are, or only some of them. Staff get every field.',
  access: 'public',
  variesByStaff: true,
  input: { query: ProviderListQuery },
  output: z.union([z.array(StaffProvider), z.array(PublicProvider), PackedPoints]),
})

export const exportProviders = defineCall({
  method: 'GET',
  path: '/api/providers.csv',
  summary: 'Every provider with the number of its leads, as a table for spreadsheets.',
  access: 'manager',
  needsConfirmation: true,
  input: { query: ProviderExportQuery },
  output: z.string(),
  type: 'text/csv',
})

export const getProvider = defineCall({
  method: 'GET',
  path: '/api/providers/:providerId',
  summary: 'One provider.',
  access: 'public',
  variesByStaff: true,
  input: { params: ProviderParams },
  output: z.union([StaffProvider, MicrositeProvider]),
})

export const getProviderOfHost = defineCall({
  method: 'GET',
  path: '/api/providers/domain/:hostname',
  summary: 'The provider whose microsite is on this host.',
  access: 'public',
  variesByStaff: true,
  input: { params: HostnameParams },
  output: z.union([StaffProvider, MicrositeProvider]),
})

export const decideNewEmail = defineCall({
  method: 'POST',
  path: '/api/providers/:providerId/new-email',
  summary: 'Use the new address of a provider that waits for a confirmation, or keep the old one.',
  access: 'manager',
  input: { params: ProviderParams, body: NewEmailDecision },
  output: ActionAnswer,
})
