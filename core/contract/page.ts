import type { z } from 'zod'
import type { ApplicationForm, createApplication } from '../applications/contract/applications.ts'
import type { RequestPage } from '../leads/contract/outcomes.ts'
import type { KeepingTimes } from '../privacy/contract/data-map.ts'
import type { listProviders, MicrositeProvider, PublicProvider } from '../providers/contract/providers.ts'
import type { LeadForm, LeadReceipt } from './forms.ts'
import type { FoundPlace, Mark, ProviderPoint, ZipReach } from './places.ts'

/** A form that was sent without JavaScript and refused, or that is to be gone on with: its values and its errors. */
export type ReturnedForm = {
  /** The page of the form, path and query. */
  url: string
  values: Partial<z.input<typeof LeadForm> & z.input<typeof ApplicationForm>>
  /** The errors by field name; `form` is the error that belongs to no field. */
  errors: Record<string, string | undefined>
}

/** The data with which the server renders a page. The browser gets it with the page. */
export type PageData = {
  mainDomain: string
  /** The time zone of the network (an IANA name), in which the site says which day it is. */
  timeZone: string
  /** The source of the map tiles, and its attribution. */
  mapTiles: { url: string; attribution: string }
  /** How long data is kept, for the policies. */
  keeping?: KeepingTimes
  /** The day of the request in the time zone of the network, on pages that show it. */
  today?: string
  /** The provider whose site this host is; null on the main site. Absent if no server has rendered the page. */
  hostProvider?: MicrositeProvider | null
  /** The provider that the address names by `providerId`; null if there is none. Absent if the lookup failed. */
  chosen?: { id: number; provider: MicrositeProvider | null }
  form?: ReturnedForm
  optOut?: OptOutPage
  request?: RequestPage
  called?: CalledPage
  phoneNumber?: PhoneNumberPage
  /** The marks on a map of the whole country. Absent on other pages, and if the lookup failed. */
  marks?: Mark[]
  /** How many certified clinics take patients, and in how many states. Only on the main site's pages with a lead form or a map. */
  network?: NetworkCounts
  /** What the zip code in the address comes to; null if it is unknown. Absent without one, and if the lookup failed. */
  zipReach?: { zip: string; providerId?: number; reach: ZipReach | null }
  /** The list of the map page. Absent on other pages, and if the lookup failed. */
  mapList?: MapList
  matchRadiusMiles?: number
  /** Whether clinics that advertise may ask visitors to measure it. */
  measuresAds?: true
  /** The end of the special offer to new providers (ISO 8601), if it ends at a fixed time. */
  offerDeadline?: string
  offerIsOver?: boolean
}

/** A state by its code, and its active providers. */
export type StateCount = { state: string; clinics: number }
export type NetworkCounts = { clinics: number; states: number }
/** How many active providers there are on the map, and how many of them offer a free consultation or financing. */
export type MapCounts = { total: number; free: number; financing: number }

/** What the address of the map asks for, and the providers that answer it. */
export type MapList = {
  /** The text of the search, as the address has it, and its place; null if it is unknown. */
  search?: { text: string; place: FoundPlace | null }
  /** The nearest to that place, or to the provider that the address names; those of a state. */
  listed: PublicProvider[]
  /** Where each of them is. */
  points: ProviderPoint[]
  counts: MapCounts
  /** Instead of the list: the number of active providers by state, where nothing is asked for and the list would be too long. */
  states: StateCount[]
}

/** The parameters in the address of the map. `q` is the field of a form that is sent without JavaScript. */
export const MAP_PARAMETERS = ['zip', 'place', 'q', 'provider', 'free', 'financing'] as const

/** Returns the text of the search in the address of the map. */
export function searchOfMap(query: URLSearchParams): string | undefined {
  const text = query.get('zip') ?? query.get('place') ?? query.get('q')
  return text?.trim() || undefined
}

/** The list of the map is no longer than this. */
export const MAX_LISTED = 20
/** A clinic within this distance is near, in miles. */
export const NEAR_MILES = 50
/** The middle of the continental US: 39.83 N, 98.58 W. */
export const MIDDLE_OF_US = { latitude: 39.83, longitude: -98.58 }

/** The facts about a page that the server needs. Declared in `web/pages.ts`, passed on by the web build. */
export type PageFacts = {
  path: string
  /**
   * `build`: once, for all visitors of the main site. `request`: by the API, for each request. `browser`: only by the
   * browser, for staff.
   */
  rendered: 'build' | 'request' | 'browser'
  /** Whether search engines may list it. The sitemap contains the listed pages that are rendered at build time. */
  robots: 'index' | 'noindex'
  /** Whether the page belongs to a provider: always, or if the address or the host names one. */
  provider?: 'if named' | 'always'
  /**
   * The change that makes the server render a prerendered page again: new marks on the map, another count of clinics, the
   * end of the offer, another day, or a setting.
   */
  changesWith?: 'marks' | 'network' | 'offer' | 'day' | 'settings'
  /** The form on the page, which browsers post natively until the page is hydrated. */
  form?: 'lead' | 'application'
  /** The origins that its Content-Security-Policy allows in frames, besides its own. */
  frames?: readonly string[]
}

/** The id of the element with the page's data as JSON. */
export const PAGE_DATA_ID = 'page-data'

export type PageRequest = {
  /** Path and query. */
  url: string
  /** Scheme and host of the main site, without a slash at the end. */
  mainOrigin: string
  /** Scheme and host of the page's site: a provider's own, or the main one. */
  origin: string
  data: PageData
}

export type RenderPage = (request: PageRequest) => Promise<string>

/** Returns scheme, host and port of a provider's own site. Scheme and port are those of the main site. */
export function providerOrigin(domain: string, mainOrigin: string): string {
  const url = new URL(mainOrigin)
  url.hostname = domain
  return url.origin
}

/** Subdomains that are ours, or look as if they were. */
const RESERVED =
  /^(www|admin|api|app|assets|auth|autoconfig|autodiscover|blog|cdn|dashboard|dns|ftp|help|imap|login|mail|mta-sts|mx|ns|ns1|ns2|pop|pop3|portal|secure|shop|smtp|sso|staff|static|status|support|vpn|webmail)$/

/**
 * Returns whether a host is reserved for the main site: the main domain, its parents, and names like `www.`, `mail.` or
 * `admin.` below these. Other subdomains may be microsites.
 */
export function isOwnHost(host: string, mainDomain: string): boolean {
  const wanted = host.toLowerCase()
  const main = mainDomain.toLowerCase()
  const isOwn = (name: string) => name === main || main.endsWith(`.${name}`)
  if (isOwn(wanted)) return true
  const [first = '', ...rest] = wanted.split('.')
  // `www.` serves the same site as the host without it.
  return RESERVED.test(first) && rest.length > 0 && isOwnHost(rest.join('.'), main)
}

/** The path of `listProviders`, for pages that must not load the contract's schemas at start. */
export const PROVIDERS_PATH: typeof listProviders.path = '/api/providers'

/** The path of `createApplication`, for the same pages. */
export const APPLICATIONS_PATH: typeof createApplication.path = '/api/provider-applications'

/** The field of a plain form that asks for its page with the values filled in, and sends nothing. */
export const CARRY_FIELD = 'carry'

/** Returns the provider id in a query. An empty one, as from an ad with an unfilled template, counts as absent. */
export function namedProvider(query: URLSearchParams): string | undefined {
  return query.get('providerId')?.trim() || undefined
}

/** Returns the address of a provider's entry for an address book (`getContactCard`). */
export const contactCardUrl = (id: number) => `${PROVIDERS_PATH}/${id}/contact.vcf`

export const SUCCESS_PATH = '/success'

/** Returns the page after the form. During a review it stays on the site of the requested clinic, if any. */
export function pathAfterLead({ providerId, inReview }: Omit<LeadReceipt, 'id'>, askedProviderId?: number): string {
  const query = new URLSearchParams()
  if (inReview) query.set('inReview', 'true')
  else if (providerId === undefined) query.set('noProvider', 'true')
  const shownId = inReview ? askedProviderId : providerId
  if (shownId !== undefined) query.set('providerId', String(shownId))
  return `${SUCCESS_PATH}?${query}`
}

/** The licenses and credits of what the site contains: `NOTICE`, and those of the browser's packages. */
export const NOTICES_PATH = '/open-source-notices.txt'

export const STAFF_PATHS = { admin: '/admin', getmpx: '/getmpx' } as const

/** The page for choosing the password of a staff account. */
export const STAFF_LINK_PATH = '/admin/password'

/**
 * Returns the link to that page. The token is in the fragment, which browsers do not send, so that it is in no log and
 * no Referer.
 */
export const staffLinkUrl = (publicUrl: string, token: string) => `${publicUrl}${STAFF_LINK_PATH}#${token}`

export const CLINIC_PATH = '/clinic'

/** The parts of these pages that links lead to. `pause` is a part of the settings. */
export const CLINIC_PARTS = ['requests', 'figures', 'settings', 'people', 'pause'] as const
export type ClinicPart = (typeof CLINIC_PARTS)[number]

/** Returns the path of a part of them. A browser without a session is asked to sign in first, and led there afterwards. */
export const clinicPartPath = (part: ClinicPart | null) => (part ? `${CLINIC_PATH}?tab=${part}` : CLINIC_PATH)

/** Returns the link that signs a clinic in. The token is in the fragment, which browsers do not send. */
export const clinicSignInUrl = (publicUrl: string, token: string, part: ClinicPart | null) =>
  `${publicUrl}${clinicPartPath(part)}#${token}`

export const APPLICATION_PATH = '/clinics'

/** The page after the application form without JavaScript. */
export const PATH_AFTER_APPLICATION = `${APPLICATION_PATH}?applied=true#provider-form`

/** The state of an opt-out page; `of` is the person, or the clinic that confirms. */
export type OptOutPage = {
  of: 'person' | 'clinic'
  state: 'ask' | 'done' | 'already' | 'invalid'
  /** The lead that a clinic confirms for. */
  leadId?: number
}

/** The page for a person to stop contact, and the page for a clinic to confirm that it stopped. */
export const OPT_OUT_PATH = '/do-not-contact'
export const CLINIC_OPT_OUT_PATH = '/do-not-contact/clinic'

/**
 * Returns the link to one of them. The token is in the query, because mail programs post to this address without
 * opening it (RFC 8058).
 */
export const optOutUrl = (publicUrl: string, path: typeof OPT_OUT_PATH | typeof CLINIC_OPT_OUT_PATH, token: string) =>
  `${publicUrl}${path}?t=${token}`

/** The page of a clinic for a request, by the token of its link. */
export const REQUEST_PATH = '/r/:token'

/** The page where a visitor says whether the clinic called, by the token of its link. */
export const CALLED_PATH = '/called/:token'

/** The page where a visitor corrects the phone number that a clinic could not reach, by the token of its link. */
export const PHONE_NUMBER_PATH = '/phone-number/:token'

/** Returns the link to one of them. */
export const requestUrl = (
  publicUrl: string,
  path: typeof REQUEST_PATH | typeof CALLED_PATH | typeof PHONE_NUMBER_PATH,
  token: string,
) => publicUrl + path.replace(':token', token)

/** The answers of a visitor to the question whether the clinic called. */
export const VISITOR_ANSWERS = ['yes', 'not_yet', 'no_longer'] as const
export type VisitorAnswer = (typeof VISITOR_ANSWERS)[number]

/**
 * The state of the page with that question. `over`: there is nothing left to answer. `answer` is the one that is chosen by
 * the link, or was given.
 */
export type CalledPage = {
  state: 'ask' | 'done' | 'over' | 'invalid'
  answer?: VisitorAnswer
  clinic?: string
}

/**
 * The state of the page that asks for the right phone number. `over`: there is nothing left to correct. `typed` and `error`
 * are those of a refused form.
 */
export type PhoneNumberPage =
  | { state: 'ask'; clinic?: string; typed?: string; error?: string }
  | { state: 'done' | 'over' | 'invalid' }

/** The address of the map tiles on this site, for Leaflet. The API loads them from `MAP_TILE_URL`, without the visitor. */
export const MAP_TILES_URL = '/tiles/{z}/{x}/{y}'
