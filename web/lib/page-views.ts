import { PAGE_VIEWS_PATH, type PageData } from '../../core/contract/page.ts'
import type {
  Device,
  FormFault,
  LeadPage,
  PageView,
  Variant,
  VisitStep,
  Vital,
} from '../../core/contract/page-views.ts'
import { loadOrRetry } from './load-or-retry.ts'
import { endOfRest, readPageData } from './rendered-page.ts'

// Part of the script that every page runs first, so it must not load the contract's schemas.

/** The pages with a lead form, by their paths. */
export const LEAD_PAGE_PATHS: Record<string, LeadPage> = {
  '/': 'home',
  '/start': 'start',
  '/homev2': 'findProvider',
  '/microsite': 'microsite',
}

/** The fields of the lead forms. */
const FIELDS = /^(first_name|last_name|email|phone|zip_code|acceptance_consent)$/

type Origin = Pick<PageView, 'source' | 'campaign'>
type Told = Pick<PageView, 'steps' | 'faults' | 'vitals' | 'experiment'>

/** A view of a page: what was counted, so that nothing counts twice, and what is not told yet. */
type View = { page: LeadPage; counted: Set<VisitStep | FormFault>; steps: VisitStep[]; faults: FormFault[] }

/** The origin of this page load. Undefined while nothing is counted. */
let origin: Origin | undefined
let view: View | undefined
/** The first page of this load, which the web vitals are about. */
let landing: LeadPage | undefined
let vitals: Partial<Record<Vital, number>> = {}
let experiment: { id: string; variant: Variant; steps: ('seen' | 'submitted')[]; counted: Set<string> } | undefined

/** The properties of `navigator` that decide whether a page may count. */
type Browser = { doNotTrack?: string | null; globalPrivacyControl?: boolean; webdriver?: boolean; userAgent: string }

/**
 * Returns whether a browser may be counted: it does not ask otherwise (Do Not Track, Global Privacy Control), is steered by a
 * person, and does not name itself a robot.
 */
export function isCountable({ doNotTrack, globalPrivacyControl, webdriver, userAgent }: Browser): boolean {
  return doNotTrack !== '1' && !globalPrivacyControl && !webdriver && !/bot|crawl|spider|headless/i.test(userAgent)
}

/** Returns the kind of device by the width of the window, in pixels. */
export const deviceOf = (width: number): Device => (width < 768 ? 'phone' : width < 1024 ? 'tablet' : 'desktop')

/**
 * Starts to count what happens on the pages with a lead form, in memory only. It is told when the page is left or hidden.
 * Call it once for each page load, with the origin of the visit. Returns a function that ends it.
 */
export function watchPageViews(visit: Origin, data: PageData = readPageData()): () => void {
  if (!data.countsViews || !isCountable(navigator)) return () => {}
  const listening = new AbortController()
  const { signal } = listening
  origin = visit
  if (data.experiment) experiment = { ...data.experiment, steps: [], counted: new Set() }
  whenVisible(() => {
    // The page of a clinic that does not exist has none.
    if (document.querySelector('main form')) showForm()
    landing = view?.page
    if (landing) measure().catch(() => {})
  })
  window.addEventListener('input', noteInput, { capture: true, passive: true, signal })
  // Bubbles from the document, so this comes after the last values of the web vitals.
  window.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && tell(), { signal })
  window.addEventListener('pageshow', ({ persisted }) => persisted && view && seeAgain(), { signal })
  return () => {
    listening.abort()
    origin = view = landing = experiment = undefined
    vitals = {}
  }
}

/** Begins another view of a page that the browser has kept, and shows again after Back. */
function seeAgain(): void {
  view = undefined
  showForm()
}

/** Notes that a lead form is on the page. Returns a function that ends this view of the page. */
export function showForm(): () => void {
  const page = pageAt(window.location)
  if (origin && page && page !== view?.page) {
    tell()
    view = { page, counted: new Set(), steps: [], faults: [] }
    countStep('seen')
  }
  return () => {
    tell()
    view = undefined
  }
}

/** A view that has come to a step has come to those before it. */
const BEFORE: Record<VisitStep, VisitStep | undefined> = {
  seen: undefined,
  started: 'seen',
  zip_accepted: 'started',
  submitted: 'started',
}

/** Counts a step on this page, once for each view. Does nothing on other pages. */
export function countStep(step: VisitStep): void {
  // The parts of a form may be there before the form itself tells.
  if (!view) showForm()
  if (!view || view.counted.has(step)) return
  const before = BEFORE[step]
  if (before) countStep(before)
  view.counted.add(step)
  view.steps.push(step)
  if (!experiment || (step !== 'seen' && step !== 'submitted') || experiment.counted.has(step)) return
  experiment.counted.add(step)
  experiment.steps.push(step)
}

/** Counts why a form was refused, each reason once for a view of the page. */
export function countFault(fault: FormFault): void {
  if (!view || view.counted.has(fault)) return
  view.counted.add(fault)
  view.faults.push(fault)
}

function pageAt({ pathname, search }: Location): LeadPage | undefined {
  const page = LEAD_PAGE_PATHS[pathname]
  const isOfClinic = Boolean(readPageData().hostProvider) || new URLSearchParams(search).has('providerId')
  return page === 'home' && isOfClinic ? 'microsite' : page
}

function noteInput({ target }: Event): void {
  if (target instanceof HTMLInputElement && FIELDS.test(target.name)) countStep('started')
}

/** Runs a function when the page is first shown: it may be prerendered, or opened in the background. */
function whenVisible(run: () => void): void {
  if (document.visibilityState === 'visible') run()
  else document.addEventListener('visibilitychange', () => whenVisible(run), { once: true })
}

/** Measures how fast the page is, once the visitor does something: the script would only delay the first view. */
async function measure(): Promise<void> {
  await endOfRest()
  const { watchVitals } = await loadOrRetry(() => import('./web-vitals.ts'))
  watchVitals((vital, value) => {
    vitals[vital] = value
  })
}

/** Tells the server what was counted since the last time. */
function tell(): void {
  const told = { steps: view?.steps.splice(0) ?? [], faults: view?.faults.splice(0) ?? [], ...takeExperiment() }
  const measured = { vitals }
  vitals = {}
  if (view?.page === landing) {
    send(landing, { ...told, ...measured })
  } else {
    send(view?.page, told)
    send(landing, measured)
  }
}

function takeExperiment(): Pick<Told, 'experiment'> {
  if (!experiment || experiment.steps.length === 0) return {}
  const { id, variant, steps } = experiment
  return { experiment: { id, variant, steps: steps.splice(0) } }
}

function send(page: LeadPage | undefined, { steps = [], faults = [], vitals = {}, ...rest }: Partial<Told>): void {
  if (!page || !origin || steps.length + faults.length + Object.keys(vitals).length === 0) return
  const body = { page, device: deviceOf(window.innerWidth), ...origin, steps, faults, vitals, ...rest }
  navigator.sendBeacon(PAGE_VIEWS_PATH, new Blob([JSON.stringify(body)], { type: 'application/json' }))
}
