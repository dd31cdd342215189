import { expect, it } from 'vitest'
import { stateMap } from '../../api/clinic-pictures/state-map.ts'
import { STATE_MAP } from '../../core/contract/clinic-pictures.ts'

/** Returns the place of the pin's tip, in pixels. */
function pinOf(svg: string): { x: number; y: number } {
  const [, x, y] = /<circle cx="(\d+)" cy="(\d+)" r="28"/.exec(svg) ?? []
  return { x: Number(x), y: Number(y) }
}

it.each([
  ['Austin', 30.27, -97.74],
  ['Chicago, at the northern border', 41.9, -87.61],
  ['Miami Beach, off the coarse shore', 25.79, -80.13],
  ['Anchorage', 61.22, -149.86],
  ['the Aleutian Islands, beyond the date line', 52.9, 172.9],
  ['Honolulu, far from the largest island', 21.317, -157.845],
  ['Providence, in the smallest state', 41.819, -71.41],
  ['San Juan', 18.4, -66.06],
])('the map of %s has the pin within, and only a few kilobytes', (_, latitude, longitude) => {
  const svg = stateMap({ latitude, longitude })
  const { x, y } = pinOf(svg)
  expect(x).toBeGreaterThan(20)
  expect(x).toBeLessThan(STATE_MAP.width - 20)
  expect(y).toBeGreaterThan(60)
  expect(y).toBeLessThan(STATE_MAP.height)
  expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  expect(svg.length).toBeLessThan(16_000)
})

it('shows the state of the place, true to scale', () => {
  const [austin, dallas, elPaso] = [
    { latitude: 30.27, longitude: -97.74 },
    { latitude: 32.79, longitude: -96.8 },
    { latitude: 31.76, longitude: -106.48 },
  ].map((place) => pinOf(stateMap(place)))
  if (!austin || !dallas || !elPaso) throw new Error('A pin is missing')
  expect(dallas.y).toBeLessThan(austin.y)
  expect(elPaso.x).toBeLessThan(austin.x)
  // Austin is 182 miles from Dallas and 528 from El Paso.
  const pixels = (a: typeof austin, b: typeof austin) => Math.hypot(a.x - b.x, a.y - b.y)
  expect(pixels(austin, elPaso) / pixels(austin, dallas)).toBeCloseTo(528 / 182, 0)
})
