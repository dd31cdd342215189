import { MAP_TILES_URL, PAGE_DATA_ID, type PageData } from '../../core/contract/page.ts'
import { SECOND } from '../../core/contract/time.ts'

/** Stands in for the server's data on pages that it has not rendered: in development and in the dashboard. */
export const UNRENDERED: PageData = {
  mainDomain: 'localhost',
  timeZone: 'America/New_York',
  mapTiles: { url: MAP_TILES_URL, attribution: '© OpenStreetMap contributors' },
}

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

export function isFaulty(image: HTMLImageElement): boolean {
  return image.complete && image.naturalWidth === 0
}

/** A phone that changes between networks is offline for at least this long. */
const RETRY_DELAY = 1 * SECOND

/**
 * Loads a script, and tries once more after a pause if that fails. The second try uses the same address, because a part
 * that came under two addresses would exist twice. A browser that remembers failed imports, as the HTML standard
 * demanded until 2026 (https://github.com/whatwg/html/pull/10327), fails again at once.
 * @throws what the second try throws
 */
export function loadOrRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  return load().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY))
    return load()
  })
}
