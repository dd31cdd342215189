/** Everything about the company that runs this site: see `brand.ts`. */
export type Brand = {
  company: string
  legalName: string
  /** Where mail reaches it, in one line: street, city, state and zip code. In each email (15 USC 7704(a)(5)), the footer and the policies. */
  postalAddress: string
  product: string
  email: string
  phone: string
  /** The city and state of the arbitration that the terms name. */
  arbitrationCity: string
  starterKitUrl: string
  becomeProviderUrl: string
  partners: readonly Logo[]
  financingPartners: readonly Logo[]
  creator: Person & { credentials: readonly string[] }
  study: {
    participants: number
    months: number
    averageIncrease: string
    satisfaction: string
    /** What the calculator adds, in inches. */
    gain: { length: number; girth: number }
    statistics: readonly { value: string; label: string }[]
    source: string
  }
  /** The claims at the top of the home page. They are not in `Texts`, most of which is loaded after it. */
  benefits: readonly { claim: string; why: string }[]
  /** What else the pages claim about the product, above the fold or alone on their page. */
  claims: {
    /** The banner above every page, in two parts between which the line may break. */
    banner: readonly [string, string]
    homeHeadline: string
    finderHeadline: string
    finderText(guide: string): string
    startAssurance: string
    /** For search engines. */
    homeDescription: string
    clinicsDescription: string
    formBanner: string
    successHeadline: string
  }
  providerVideoUrl: string
}

/** The texts of the pages for visitors. Where a page is a clinic's, they name it. */
export type Texts = {
  microsite: {
    tagline: string
    headline: string
    program: string
    bullets: readonly string[]
    /** For search engines. */
    description(clinic: string): string
  }
  whatIs: string
  elements: readonly { name: string; text: string; drawing: Drawing }[]
  reasonsToTrust: readonly Point[]
  /** What a visitor may ask at the first consultation. It is in an email that names no treatment, so it must not name one. */
  toAsk: readonly string[]
  steps(clinic?: Clinic): readonly Point[]
  /** What happens in the months of the program: the visits, what is done between them, and who decides how many. */
  course: { visits: readonly (Point & { month: number })[]; atHome: string; note: string }
  firstVisit(clinic?: Clinic): readonly Point[]
  /** What the product does, and what can be read in the privacy policy. */
  discretion: readonly Point[]
  questions(clinic?: string): readonly Question[]
  /** The terms of the payment plans, on the sites of clinics that offer them. */
  financing: { title: string; from: string; cards: readonly Point[]; note: string }
}

export type ClinicTexts = {
  hero: string
  cards: readonly Point[]
  /** The two first reasons, which stand out. Their figures are in the hero. */
  mainReasons: readonly Point[]
  reasons: readonly Point[]
  steps: readonly (Point & { fact: string })[]
  statistics: readonly { value: string; label: string }[]
  questions: readonly Question[]
  certifiedProvider: Person & { quote: string }
}

type Clinic = { name: string; isFree: boolean }
/** A drawing of the pages, see `web/site/pages/landing-sections.tsx`. */
export type Drawing = 'gauge' | 'syringe' | 'arc' | 'capsule'
type Point = { title: string; text: string }
type Question = { question: string; answer: string }
type Logo = { name: string; logo: string; width: number; height: number }
type Person = { name: string; role: string; portrait: string }

/** Each color as #rrggbb. Their names in CSS: `--color-primary`, `--color-good-soft`. */
export type Palette = Record<ColorName, string>

type ColorName =
  // The brand itself, and the page.
  | 'primary'
  | 'secondary'
  | 'accent'
  | 'background'
  | 'foreground'
  // Dark grounds, the darkest first, and the text of headings.
  | 'night'
  | 'dusk'
  | 'ink'
  // Light grounds (`paper` is the one warm one), lines, borders of controls, and secondary text.
  | 'lilac'
  | 'mist'
  | 'paper'
  | 'line'
  | 'edge'
  | 'quiet'
  // States: text or mark, and its ground.
  | 'good'
  | 'goodSoft'
  | 'bad'
  | 'badDeep'
  | 'badSoft'
  | 'wait'
  | 'waitBright'
  | 'waitSoft'

/** The checkboxes that ask for a consent: of the lead forms, of the form that finds a provider, read aloud on the phone, and of clinics. */
export type ConsentUse = 'form' | 'finder' | 'phone' | 'application'

/** A text beside a checkbox, since the day on which it went live. `sharing`: the sentence about the recipient of the details. */
export type ConsentEntry = {
  use: ConsentUse
  version: string
  valid_from: string
  wording: string
  sharing?: { version: string; wording: string }
  /** Of all the above and of the entry before it (`ops/consent-hash.ts`), in hex. */
  sha256: string
}
