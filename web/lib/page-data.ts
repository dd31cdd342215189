import { createContext, useContext } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import {
  MAP_TILES_URL,
  namedProvider,
  PAGE_DATA_ID,
  type PageData,
  type ReturnedForm,
} from '../../core/contract/page.ts'
import type { MicrositeProvider } from '../../core/providers/contract/providers.ts'
import { parseId } from './text.ts'

/** Stands in for the server's data on pages that it has not rendered: in development and in the dashboard. */
export const UNRENDERED: PageData = {
  mainDomain: 'localhost',
  timeZone: 'America/New_York',
  mapTiles: { url: MAP_TILES_URL, attribution: '© OpenStreetMap contributors' },
}

/** Reads the data that the server has put into the page. */
export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  return text ? JSON.parse(text) : UNRENDERED
}

/** Tells whether the server has rendered this page. Such a page is readable, and its forms work, without a script. */
export function isRendered(): boolean {
  return document.getElementById(PAGE_DATA_ID) !== null
}

const SIGNS = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin', 'wheel', 'scroll'] as const

/** An element that needs its script at once. A radio button may have been chosen before any script ran. */
const LIVE = '[data-live], [data-live-if-checked]:checked'

/**
 * Resolves when the page needs React. A page that the server has rendered is readable and its forms work without a
 * script, so it rests until the first interaction, or until an image fails to load. A page with an element marked
 * `data-live` or an anchor in its address does not rest, and one with `data-if-located` no longer than the browser needs to say
 * that it may tell where the visitor is.
 */
export async function endOfRest(): Promise<void> {
  const rests = isRendered() && !window.location.hash && document.querySelector(LIVE) === null
  if (rests) await Promise.race([firstInteraction(), imageFault(), locationAllowed()])
}

function firstInteraction(): Promise<void> {
  return new Promise((resolve) => {
    const seen = () => {
      resolve()
      for (const sign of SIGNS) window.removeEventListener(sign, seen, true)
    }
    for (const sign of SIGNS) window.addEventListener(sign, seen, { capture: true, passive: true })
  })
}

/** Resolves if the page shows where the visitor is, and the browser may tell. */
async function locationAllowed(): Promise<void> {
  const isWanted = document.querySelector('[data-if-located]') !== null
  const asked = isWanted ? navigator.permissions?.query({ name: 'geolocation' }) : undefined
  const permission = await asked?.catch(() => undefined)
  if (permission?.state !== 'granted') await new Promise(() => {})
}

function imageFault(): Promise<void> {
  return new Promise((resolve) => {
    if ([...document.images].some(isFaulty)) return resolve()
    // It does not bubble.
    window.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && resolve(), { capture: true })
  })
}

/** Tells whether an image has failed to load. */
export function isFaulty(image: HTMLImageElement): boolean {
  return image.complete && image.naturalWidth === 0
}

export const PageDataContext = createContext<PageData>(UNRENDERED)

export function usePageData(): PageData {
  return useContext(PageDataContext)
}

/** The form of this very page, if the server has sent it back. */
export function useReturnedForm(): ReturnedForm | undefined {
  const { form } = usePageData()
  const { pathname } = useLocation()
  return form?.url.split('?')[0] === pathname ? form : undefined
}

/** A provider by id, or by the host of its site. */
export type Wanted = { id: number } | { hostname: string }

/** The provider of the page: null on the main site, unknown if the server has not told. */
type ProviderOfPage = { known: true; provider: MicrositeProvider | null } | { known: false; wanted: Wanted }

const NO_PROVIDER: ProviderOfPage = { known: true, provider: null }

/** The provider whose id is in the address, else the one whose host this is. */
export function useProviderOfPage(): ProviderOfPage {
  const [query] = useSearchParams()
  const data = usePageData()
  const named = namedProvider(query)
  return named === undefined ? ofHost(data) : ofAddress(data, parseId(named))
}

/** The id of the provider that the address names, unless there is none of that id: for links that stay with it. */
export function useNamedProviderId(): number | undefined {
  const [query] = useSearchParams()
  const data = usePageData()
  const id = parseId(namedProvider(query) ?? null)
  const ofPage = ofAddress(data, id)
  return ofPage.known && ofPage.provider === null ? undefined : id
}

function ofAddress({ chosen, hostProvider }: PageData, id: number | undefined): ProviderOfPage {
  if (id === undefined) return NO_PROVIDER
  if (id === chosen?.id) return { known: true, provider: chosen.provider }
  if (id === hostProvider?.id) return { known: true, provider: hostProvider }
  return { known: false, wanted: { id } }
}

function ofHost({ hostProvider, mainDomain }: PageData): ProviderOfPage {
  if (hostProvider !== undefined) return { known: true, provider: hostProvider }
  const hostname = import.meta.env.SSR ? mainDomain : window.location.hostname
  return hostname === mainDomain ? NO_PROVIDER : { known: false, wanted: { hostname } }
}

/** The provider to whom a form on this page sends its leads, if it is one's in particular. */
export function useProviderIdOfPage(): number | undefined {
  const ofPage = useProviderOfPage()
  if (ofPage.known) return ofPage.provider?.id
  return 'id' in ofPage.wanted ? ofPage.wanted.id : undefined
}

/** The facts that texts need about the page's clinic: its name, its phone, and whether its consultation is free. */
export type ClinicOfPage = { name: string; phone: string | null; isFree: boolean }

export function clinicOf({ name, practiceName, phone, accepts_free_consultation }: MicrositeProvider): ClinicOfPage {
  return { name: practiceName || name, phone, isFree: accepts_free_consultation }
}

/** The clinic whose page this is, if it is already known when the page is drawn. */
export function useClinicOfPage(): ClinicOfPage | undefined {
  const ofPage = useProviderOfPage()
  return ofPage.known && ofPage.provider ? clinicOf(ofPage.provider) : undefined
}
