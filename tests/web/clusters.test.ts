import { describe, expect, it } from 'vitest'
import { createClusters } from '../../web/shared/map/clusters.ts'
import { COUNTRY, MIDDLE_OF_US, type View } from '../../web/shared/map/view.ts'

/** More than that many marks bring a phone to a stop. */
const MAX_MARKS = 150
const MANY = 10_000

/** All over the continental US. */
const POINTS = Array.from({ length: MANY }, (_, index) => ({
  id: index + 1,
  latitude: 26 + 22 * ((index * 0.618_033_988_75) % 1),
  longitude: -120 + (45 * index) / MANY,
}))

describe('the marks of ten thousand providers', () => {
  const clusters = createClusters(POINTS)

  it('are few at every zoom, and stand for all in sight', () => {
    for (let zoom = COUNTRY.zoom; zoom <= 16; zoom++) {
      const marks = clusters.marksIn(viewAt(zoom))
      expect(marks.length, `at zoom ${zoom}`).toBeLessThanOrEqual(MAX_MARKS)
    }
    const all = clusters.marksIn(COUNTRY)
    expect(all.reduce((sum, mark) => sum + (mark.kind === 'cluster' ? mark.count : 1), 0)).toBe(MANY)
  })

  it('fall apart at the zoom that a cluster is opened with', () => {
    const largest = clusters
      .marksIn(COUNTRY)
      .flatMap((mark) => (mark.kind === 'cluster' ? [mark] : []))
      .reduce((large, mark) => (mark.count > large.count ? mark : large))
    const zoom = clusters.zoomInto(largest.id)
    expect(zoom).toBeGreaterThan(COUNTRY.zoom)
    const counts = clusters.marksIn(viewAt(zoom, largest)).map((mark) => (mark.kind === 'cluster' ? mark.count : 1))
    expect(Math.max(...counts)).toBeLessThan(largest.count)
  })

  it('are pins of their own from zoom 14 on', () => {
    const [first] = POINTS as [(typeof POINTS)[number]]
    expect(clusters.marksIn(viewAt(14, first)).every(({ kind }) => kind === 'provider')).toBe(true)
  })
})

describe('providers in one building', () => {
  const place = { latitude: 30.2672, longitude: -97.7431 }
  const inSuites = [0, 0, 0, 0.000_002].map((off, index) => ({
    ...place,
    id: index + 1,
    longitude: place.longitude + off,
  }))
  const apart = { id: 9, latitude: 30.27, longitude: -97.74 }
  const clusters = createClusters([...inSuites, apart])

  it.each([14, 15.5, 17, 19])('have pins of their own at zoom %d, none of which hides another', (zoom) => {
    const marks = clusters.marksIn(viewAt(zoom, place))
    const pins = marks.filter(({ id }) => id !== apart.id)
    expect(pins.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4])
    const pixels = (a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }) => {
      const perDegree = (256 * 2 ** zoom) / 360
      const north = (a.latitude - b.latitude) / Math.cos((place.latitude * Math.PI) / 180)
      return perDegree * Math.hypot(a.longitude - b.longitude, north)
    }
    for (const [index, pin] of pins.entries()) {
      expect(pixels(pin, place)).toBeLessThan(60)
      for (const other of pins.slice(index + 1)) expect(pixels(pin, other)).toBeGreaterThan(30)
    }
  })

  it('leave the pin of another place where it is', () => {
    const pin = clusters.marksIn(viewAt(14, place)).find(({ id }) => id === apart.id)
    expect(pin?.latitude).toBeCloseTo(apart.latitude, 5)
    expect(pin?.longitude).toBeCloseTo(apart.longitude, 5)
  })
})

/** What the map of the network shows on a desktop, about: 740 by 600 pixels. */
function viewAt(zoom: number, { latitude, longitude } = MIDDLE_OF_US): View {
  const degrees = 360 / (256 * 2 ** zoom)
  const [east, north] = [370 * degrees, 300 * degrees * Math.cos((latitude * Math.PI) / 180)]
  return { bounds: [longitude - east, latitude - north, longitude + east, latitude + north], zoom }
}
