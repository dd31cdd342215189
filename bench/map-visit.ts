import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { newSlowPage } from './phone.ts'
import { median, percentile, waitUntil } from './support.ts'

const MARKER = '.leaflet-marker-icon'
/** One that the server has drawn, in the same place. */
const DRAWN = '[data-mark]'
/** In milliseconds: no new pin for so long means that all are there. */
const QUIET = 3000
/** Of a drag by a finger, in CSS pixels and pixels per second. */
const DRAG = { distance: 220, speed: 440 }

export type Visit = {
  seenAfter: number
  pinsAfter: number
  fps: number
  medianFrame: number
  p95Frame: number
  mostMarkers: number
}

/** The records of the page's own observers. */
type Notes = { seenAfter: number; pinsAfter: number; lastChange: number; mostMarkers: number; frames: number[] }
declare global {
  interface Window {
    notes: Notes
  }
}

/** Opens a map on a slow phone for the first time, waits for its pins, and pans it with a finger for some seconds. */
export async function visitMap(browser: Browser, url: string, { panning }: { panning: number }): Promise<Visit> {
  const { context, page, devtools } = await newSlowPage(browser)
  // tsx gives functions their names by a helper that a page does not have.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(takeNotes, { marker: MARKER, drawn: DRAWN })

  await page.goto(url, { waitUntil: 'commit', timeout: 60_000 })
  // A phone sees the list first.
  if (new URL(url).pathname === '/map') await page.getByText('Map', { exact: true }).tap()
  await waitUntil(`the pins of ${url}`, () => page.evaluate(pinsStandSince, QUIET))
  const frames = await pan(page, devtools, panning)
  const { seenAfter, pinsAfter, mostMarkers } = await page.evaluate(() => window.notes)
  await context.close()
  return {
    // Without marks from the server, pins are first seen when the map has them.
    seenAfter: seenAfter || pinsAfter,
    pinsAfter,
    fps: (1000 * frames.length) / frames.reduce((sum, frame) => sum + frame, 0),
    medianFrame: median(frames),
    p95Frame: percentile(frames, 0.95),
    mostMarkers,
  }
}

/** Runs in the page, before anything else: when markers come, and how many there are at once. */
function takeNotes({ marker, drawn }: { marker: string; drawn: string }): void {
  const notes: Notes = { seenAfter: 0, pinsAfter: 0, lastChange: 0, mostMarkers: 0, frames: [] }
  window.notes = notes
  const look = () => {
    if (notes.seenAfter > 0 || !document.querySelector(drawn)?.checkVisibility()) return
    requestAnimationFrame(() => requestAnimationFrame(() => (notes.seenAfter ||= performance.now())))
  }
  // The switch between list and map changes no element.
  document.addEventListener('change', look)
  const isMarker = (node: Node) => node instanceof Element && node.matches(marker)
  new MutationObserver((mutations) => {
    look()
    if (!mutations.some(({ addedNodes }) => [...addedNodes].some(isMarker))) return
    notes.mostMarkers = Math.max(notes.mostMarkers, document.querySelectorAll(marker).length)
    notes.lastChange = performance.now()
    // In the frame after the next one they have been painted.
    requestAnimationFrame(() => requestAnimationFrame(() => (notes.pinsAfter = performance.now())))
  }).observe(document, { childList: true, subtree: true })
}

/** Tells whether there are pins and their number has settled. */
function pinsStandSince(quiet: number): boolean {
  const { lastChange, pinsAfter } = window.notes
  return lastChange > 0 && pinsAfter > lastChange && performance.now() - lastChange > quiet
}

/**
 * Drags the map to and fro for some seconds; a map that hardly moves is not dragged as often in that time.
 * @returns how long each frame took, in milliseconds
 */
async function pan(page: Page, devtools: CDPSession, seconds: number): Promise<number[]> {
  const middle = await page.evaluate(middleOfMap)
  await sleep(1000)
  const arrived = await page.evaluate(() => window.notes.pinsAfter)

  await page.evaluate(() => {
    let before = performance.now()
    const frame = (now: number) => {
      window.notes.frames.push(now - before)
      before = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  const end = performance.now() + seconds * 1000
  for (let drag = 0; performance.now() < end; drag++) {
    const there = drag % 2 === 0 ? -1 : 1
    const alongX = drag % 4 < 2
    await devtools.send('Input.synthesizeScrollGesture', {
      ...middle,
      [alongX ? 'xDistance' : 'yDistance']: there * DRAG.distance,
      speed: DRAG.speed,
      gestureSourceType: 'touch',
      preventFling: false,
    })
  }
  // Pins that panning reveals do not count as the map's first pins.
  return page.evaluate((pinsAfter) => {
    window.notes.pinsAfter = pinsAfter
    return window.notes.frames.slice(1)
  }, arrived)
}

/** Brings the map into sight. By hand, for playwright would wait until its element rests. */
function middleOfMap(): { x: number; y: number } {
  const map = document.querySelector('.leaflet-container')
  map?.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = map?.getBoundingClientRect() ?? new DOMRect()
  return { x: x + width / 2, y: y + height / 2 }
}
