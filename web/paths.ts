import {
  CLINIC_OPT_OUT_PATH,
  CONFIRM_EMAIL_PATH,
  OPT_OUT_PATH,
  pathAfterLead,
  STAFF_LINK_PATH,
} from '../core/contract/page.ts'

/** The anchor of the lead form, on every page that has one. */
export const PROVIDER_FORM = 'provider-form'

/** The anchors of the home page's sections. */
export const anchors = {
  howItWorks: 'how-it-works',
  whatIs: 'what-is',
  sizeCalculator: 'size-calculator',
  faq: 'faq',
} as const

/** The addresses of our pages. */
export const paths = {
  home: '/',
  providerForm: `/#${PROVIDER_FORM}`,
  /** A section of the home page, by its anchor. */
  section: (anchor: string) => `/#${anchor}`,
  start: '/start',
  findProvider: '/homev2',
  microsite: '/microsite',
  micrositeOf: (providerId: number) => `/microsite?providerId=${providerId}`,
  map: '/map',
  clinics: '/clinics',
  success: '/success',
  privacy: '/privacy',
  terms: '/terms',
  refunds: '/refunds',
  /** Where a link in an e-mail to a clinic leads. */
  confirmEmail: CONFIRM_EMAIL_PATH,
  /** Where the links of those who want no more contact lead, and of the clinics that confirm it. */
  optOut: OPT_OUT_PATH,
  clinicOptOut: CLINIC_OPT_OUT_PATH,
  admin: '/admin',
  choosePassword: STAFF_LINK_PATH,
  getmpx: '/getmpx',
  afterLead: pathAfterLead,
} as const

/** Where staff edit a provider that comes from WordPress, by the number of its post there. */
export function wordpressEditUrl(site: string, postId: number): string {
  return `${site}/wp-admin/post.php?post=${postId}&action=edit`
}
