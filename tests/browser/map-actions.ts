import type { Locator, Page } from 'playwright-core'

export const AUSTIN = { latitude: 30.27, longitude: -97.74 }
export const DENVER = { latitude: 39.74, longitude: -104.99 }

/** The addresses of the tiles. */
export const TILES = /\/tiles\/\d+\/\d+\/\d+$/

/** What the browser's console says of calls that a test has made fail. */
export const BLOCKED = /ERR_FAILED|ERR_CONNECTION_REFUSED/

export function pins(page: Page): Locator {
  return page.locator('img.leaflet-marker-icon')
}

/** Pins, clusters and the visitor's own place. */
export function marks(page: Page): Locator {
  return page.locator('.leaflet-marker-icon')
}

/** The zooms of the tiles that a map has asked for and still shows. */
export function zooms(page: Page): Promise<number[]> {
  return page
    .locator('.leaflet-tile')
    .evaluateAll((tiles) => [
      ...new Set((tiles as HTMLImageElement[]).map(({ src }) => Number(/\/tiles\/(\d+)/.exec(src)?.[1]))),
    ])
}

/** Whether the outlines of the states are drawn. */
export function hasOutlines(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const drawn = document.querySelector<HTMLCanvasElement>('.leaflet-outlines-pane canvas')
    if (!drawn) return false
    // Read from a copy, for which the browser is told that it is read.
    const copy = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d', { willReadFrequently: true })
    copy?.drawImage(drawn, 0, 0)
    return copy?.getImageData(0, 0, drawn.width, drawn.height).data.some((value) => value > 0) ?? false
  })
}

/** Brings the map of the page for clinics into sight, before which it is not loaded. */
export async function openNetwork(page: Page): Promise<Locator> {
  const network = page.locator('#provider-network')
  await network.scrollIntoViewIfNeeded()
  await network.locator('.leaflet-container').waitFor()
  return network
}
