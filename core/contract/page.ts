import type { z } from 'zod'
import type { ApplicationForm } from './applications.ts'
import type { LeadForm, LeadReceipt } from './leads.ts'
import type { Mark } from './provider-points.ts'
import type { MicrositeProvider } from './providers.ts'

/** A form that was sent without JavaScript and refused: what was typed, and what is wrong with it. */
export type RefusedForm = {
  /** The page that the form is on, path and query. */
  url: string
  values: Partial<z.input<typeof LeadForm> & z.input<typeof ApplicationForm>>
  /** By the name of the field; `form` for what is wrong with no field in particular. */
  errors: Record<string, string | undefined>
}

/** What the server knows when it renders a page, handed to the browser with it. */
export type PageData = {
  /** The host of the main site. */
  mainDomain: string
  /** The time zone of the network (an IANA name), in which the site says which day it is. */
  timeZone: string
  /** Where maps get their tiles, and whom they name for them. */
  mapTiles: { url: string; attribution: string }
  /** Whose site this host is; null: the main site's. Absent where no server has rendered the page. */
  hostProvider?: MicrositeProvider | null
  /**
   * The provider that the address names by `providerId`; null: there is none. Absent when the server could not find
   * out.
   */
  chosen?: { id: number; provider: MicrositeProvider | null }
  form?: RefusedForm
  optOut?: OptOutPage
  /** What stands on a map of the whole country. Absent on other pages, and when the server could not find out. */
  marks?: Mark[]
  /** When the special offer to new providers ends (ISO 8601), if it ends at a certain time. */
  offerDeadline?: string
  /** Whether that is past. */
  offerIsOver?: boolean
}

/** What the server needs to know of a page. `web/pages.ts` says it, and the web's build hands it over. */
export type PageFacts = {
  path: string
  /**
   * `build`: once, for everybody who comes to it on the main site. `request`: by the API, for each request. `browser`: by
   * the browser only, for staff.
   */
  rendered: 'build' | 'request' | 'browser'
  /** Whether search engines may list it. The sitemap has those that are rendered at build time. */
  robots: 'index' | 'noindex'
  /** Whether it is a provider's page: always, or where the address or the host names a provider. */
  provider?: 'if named' | 'always'
  /** Why a page that was rendered at build time is rendered again: the map has other marks, or the offer is over. */
  changesWith?: 'marks' | 'offer'
  /** The form on it, which browsers post as a plain one until our scripts are there. */
  form?: 'lead' | 'application'
  /** The origins that its Content-Security-Policy allows in frames, besides our own. */
  frames?: readonly string[]
}

/** The element of a page that holds its data as JSON. */
export const PAGE_DATA_ID = 'page-data'

/** A page to be rendered. */
export type PageRequest = {
  /** Path and query. */
  url: string
  /** Scheme and host of the main site, without a slash at the end. */
  mainOrigin: string
  /** The same of the site that the page belongs to: a provider's own, or the main one. */
  origin: string
  data: PageData
}

/** Renders a page as a whole HTML document. */
export type RenderPage = (request: PageRequest) => Promise<string>

/** Scheme, host and port of a provider's own site, which is reached the same way as the main one. */
export function providerOrigin(domain: string, mainOrigin: string): string {
  const url = new URL(mainOrigin)
  url.hostname = domain
  return url.origin
}

/** The path of `listProviders`, for pages that must not load the schemas of the contract before they need them. */
export const PROVIDERS_PATH = '/api/providers'

/** What an address calls the id of a provider. An empty one, as of an ad whose template was not filled in, is none. */
export function namedProvider(query: URLSearchParams): string | undefined {
  return query.get('providerId')?.trim() || undefined
}

/** The page after the lead form. */
export const SUCCESS_PATH = '/success'

/** Where a visitor lands after the form; during a review still on the site of the clinic that was asked, if one was. */
export function pathAfterLead(
  { providerId, inReview }: Pick<LeadReceipt, 'providerId' | 'inReview'>,
  askedProviderId?: number,
): string {
  const query = new URLSearchParams()
  if (inReview) query.set('inReview', 'true')
  else if (providerId === undefined) query.set('noProvider', 'true')
  const shownId = inReview ? askedProviderId : providerId
  if (shownId !== undefined) query.set('providerId', String(shownId))
  return `${SUCCESS_PATH}?${query}`
}

/** The pages that open the dashboard. */
export const STAFF_PATHS = { admin: '/admin', getmpx: '/getmpx' } as const

/** The page on which the owner of a staff account chooses a password. */
export const STAFF_LINK_PATH = '/admin/password'

/** The link to it. The token is in the fragment, which browsers keep to themselves: no log and no Referer has it. */
export const staffLinkUrl = (publicUrl: string, token: string) => `${publicUrl}${STAFF_LINK_PATH}#${token}`

/** The page on which clinics apply. */
export const APPLICATION_PATH = '/clinics'

/** Where an applicant lands after the form, if no script has said it on the page. */
export const PATH_AFTER_APPLICATION = `${APPLICATION_PATH}?applied=true#provider-form`

/** What the page that a link to stop contact leads to says; `of` is the person, or the clinic that confirms. */
export type OptOutPage = {
  of: 'person' | 'clinic'
  state: 'ask' | 'done' | 'already' | 'invalid'
  /** The request that a clinic confirms for. */
  leadId?: number
}

/** The page on which a person stops contact, and the one on which a clinic confirms that it stopped. */
export const OPT_OUT_PATH = '/do-not-contact'
export const CLINIC_OPT_OUT_PATH = '/do-not-contact/clinic'

/**
 * The link to one of them. The token is in the query, because mail programs post to this address without opening it
 * (RFC 8058).
 */
export const optOutUrl = (publicUrl: string, path: typeof OPT_OUT_PATH | typeof CLINIC_OPT_OUT_PATH, token: string) =>
  `${publicUrl}${path}?t=${token}`

/** Where the link leads. The token follows after a `#`, so that it is in no log of a server. */
export const CONFIRM_EMAIL_PATH = '/confirm-email'
