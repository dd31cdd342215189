import type { Locator, Page } from 'playwright-core'
import type { Db } from '../../core/platform/db.ts'
import { emptyDatabase } from '../support/database.ts'
import { createProvider } from '../support/factories.ts'

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

/** The place in the middle of a map of that zoom, in degrees, by where its tiles are (Web Mercator). */
export function middleOf(map: Locator, zoom: number): Promise<{ latitude: number; longitude: number }> {
  return map.evaluate((container, zoom) => {
    const tiles = [...container.querySelectorAll<HTMLImageElement>('.leaflet-tile')]
    const [tile, column, row] = tiles.flatMap((tile) => {
      const [, z, x, y] = /(\d+)\/(\d+)\/(\d+)$/.exec(tile.src) ?? []
      return Number(z) === zoom ? [[tile.getBoundingClientRect(), Number(x), Number(y)] as const] : []
    })[0] ?? [new DOMRect(), Number.NaN, Number.NaN]
    const { left, top, width, height } = container.getBoundingClientRect()
    const x = (column + (left + width / 2 - tile.left) / tile.width) / 2 ** zoom
    const y = (row + (top + height / 2 - tile.top) / tile.height) / 2 ** zoom
    return { latitude: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI, longitude: x * 360 - 180 }
  }, zoom)
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

/** Fills the map: `count` active providers all over the continental US, at the same places each time. */
export async function seedNetwork(db: Db, count: number): Promise<void> {
  await emptyDatabase(db)
  if (count === 1) await createProvider(db, AUSTIN)
  if (count <= 1) return
  await db.raw(
    `insert into providers (name, practice_name, zip_code, email, latitude, longitude)
     select 'Dr. Test ' || n, 'Clinic ' || n, '78701', 'clinic' || n || '@clinics.example',
       26 + 22 * (n * 0.61803398875 - floor(n * 0.61803398875)), -120 + 45 * (n - 0.5) / ?
     from generate_series(1, ?) n`,
    [count, count],
  )
}
