import { brand } from '../core/brand/brand.ts'
import {
  APPLICATION_PATH,
  CALLED_PATH,
  CLINIC_OPT_OUT_PATH,
  CLINIC_PATH,
  OPT_OUT_PATH,
  type PageFacts,
  PHONE_NUMBER_PATH,
  REQUEST_PATH,
  STAFF_LINK_PATH,
  STAFF_PATHS,
  SUCCESS_PATH,
} from '../core/contract/page.ts'
import type { ClinicOfPage } from './lib/page-data.ts'

/** The anchor of the lead form, on every page that has one. */
export const PROVIDER_FORM = 'provider-form'

export const anchors = {
  howItWorks: 'how-it-works',
  whatIs: 'what-is',
  sizeCalculator: 'size-calculator',
  faq: 'faq',
} as const

/** The anchors of the page for clinics. */
export const clinicsAnchors = {
  video: 'video-section',
  keyPoints: 'key-points',
  testimonials: 'testimonials',
  research: 'research',
  network: 'provider-network',
  whatIs: 'what-is',
  getStarted: 'get-started',
  offer: 'special-offer',
  faq: 'faq',
} as const

/** A page: its facts for the server and its texts. */
export type PageRow = PageFacts & {
  /** Precedes the company's name in the title. */
  title?: string
  /** The description for search engines. It may depend on the clinic of the page. */
  description?: string | ((clinic: ClinicOfPage | undefined) => string)
  /** The anchors that links on other pages may lead to. */
  sections?: readonly string[]
  /** The links in the header, to sections of the page, and the words of the button that leads to its form. */
  nav?: readonly { label: string; anchor: string; goesWithOffer?: true }[]
  action?: string
  /** A page for clinics. It brings its own header and footer, and its component is in `clinic/`. */
  audience?: 'clinic'
  /** Behind a link in an email, about one matter: it has neither the banner nor navigation. */
  shell?: 'plain'
}

export type PageName = keyof typeof pages

const SECTIONS = [...Object.values(anchors), PROVIDER_FORM]

/**
 * One row for each page. Router, links, prerendering, server, sitemap, robots and security policy derive from it. A public
 * page is a row, its component in `routes.tsx` and a test.
 */
export const pages = {
  home: page({
    path: '/',
    changesWith: 'network',
    provider: 'if named',
    form: 'lead',
    sections: SECTIONS,
    description: `${brand.claims.homeDescription} Find the one nearest to you and claim a free, private consultation.`,
  }),
  start: page({
    path: '/start',
    changesWith: 'network',
    form: 'lead',
    sections: [PROVIDER_FORM],
    title: 'Get started',
    description: (clinic) =>
      `Two short steps to a ${clinic?.isFree === false ? '' : 'free, '}private consultation about the ${brand.product} with ${clinic?.name ?? 'a certified provider near you'}.`,
  }),
  findProvider: page({
    path: '/homev2',
    changesWith: 'network',
    form: 'lead',
    sections: [PROVIDER_FORM],
    title: 'Find a provider',
    description: (clinic) =>
      clinic
        ? `Ask ${clinic.name} about the ${brand.product}: enter your ZIP code, and the clinic calls you for a ${clinic.isFree ? 'free ' : ''}consultation.`
        : `Find the certified provider of the ${brand.product} nearest to you: enter your ZIP code, and the clinic calls you for a free consultation.`,
  }),
  microsite: page({
    path: '/microsite',
    rendered: 'request',
    provider: 'always',
    form: 'lead',
    sections: SECTIONS,
  }),
  map: page({
    path: '/map',
    changesWith: 'marks',
    title: 'Provider Network',
    description: `Every certified provider of the ${brand.product} on one map: search by zip code or city and see who is nearest to you.`,
  }),
  clinics: page({
    path: APPLICATION_PATH,
    changesWith: 'offer',
    form: 'application',
    sections: [...Object.values(clinicsAnchors), PROVIDER_FORM],
    nav: [
      { label: 'Reasons', anchor: clinicsAnchors.keyPoints },
      { label: 'Research', anchor: clinicsAnchors.research },
      { label: 'Offer', anchor: clinicsAnchors.offer, goesWithOffer: true },
      { label: 'FAQ', anchor: clinicsAnchors.faq },
    ],
    action: 'Apply Now',
    frames: [new URL(brand.providerVideoUrl).origin],
    title: 'Become a Provider',
    description: `${brand.claims.clinicsDescription} Apply online.`,
  }),
  success: page({
    path: SUCCESS_PATH,
    rendered: 'request',
    robots: 'noindex',
    title: 'Thank you',
    description: 'What happens with your request now, and whom you will hear from.',
  }),
  privacy: page({
    path: '/privacy',
    changesWith: 'settings',
    title: 'Privacy Policy',
  }),
  healthPrivacy: page({
    path: '/health-privacy',
    changesWith: 'settings',
    title: 'Consumer Health Data Privacy Policy',
  }),
  terms: page({ path: '/terms', title: 'Terms and Conditions' }),
  refunds: page({
    path: '/refunds',
    changesWith: 'day',
    title: 'Refund and Cancellation Policy',
  }),
  /** Linked from emails to visitors. */
  optOut: page({ path: OPT_OUT_PATH, rendered: 'request', robots: 'noindex', shell: 'plain' }),
  /** Linked from emails to clinics that must confirm an opt-out. */
  clinicOptOut: page({ path: CLINIC_OPT_OUT_PATH, rendered: 'request', robots: 'noindex', shell: 'plain' }),
  /** Linked from emails to the clinic that has a request. */
  request: page({ path: REQUEST_PATH, rendered: 'request', robots: 'noindex', audience: 'clinic' }),
  /** All requests of a clinic, once it has signed in by a link. */
  clinic: page({
    path: CLINIC_PATH,
    rendered: 'browser',
    robots: 'noindex',
    audience: 'clinic',
    title: 'Your requests',
  }),
  /** Linked from the question to a visitor whether the clinic called. */
  called: page({ path: CALLED_PATH, rendered: 'request', robots: 'noindex', shell: 'plain' }),
  /** Linked from the question to a visitor whose phone number was wrong. */
  phoneNumber: page({ path: PHONE_NUMBER_PATH, rendered: 'request', robots: 'noindex', shell: 'plain' }),
  admin: page({ path: STAFF_PATHS.admin, rendered: 'browser', robots: 'noindex', title: 'Admin Dashboard' }),
  choosePassword: page({
    path: STAFF_LINK_PATH,
    rendered: 'browser',
    robots: 'noindex',
    title: 'Choose your password',
  }),
  getmpx: page({ path: STAFF_PATHS.getmpx, rendered: 'browser', robots: 'noindex', title: 'Admin Dashboard' }),
}

/** Returns a row. A page is rendered by the build, and search engines may list it, unless the row says otherwise. */
function page({ rendered = 'build', robots = 'index', ...row }: RowParts): PageRow {
  return { ...row, rendered, robots }
}

type RowParts = Omit<PageRow, 'rendered' | 'robots'> & Partial<PageRow>

export const paths = Object.fromEntries(Object.entries(pages).map(([name, { path }]) => [name, path])) as Record<
  PageName,
  string
>

const byPath = new Map(Object.values(pages).map((row) => [row.path, row]))

/** Returns the page at a path, if there is one. The last part of the path may be a token. */
export function pageAt(path: string): PageRow | undefined {
  return byPath.get(path) ?? byPath.get(path.replace(/[^/]+$/, ':token'))
}
