import { describe, expect, it } from 'vitest'
import { createClusters } from '../../web/shared/map/clusters.ts'
import { COUNTRY, MIDDLE_OF_US, type View } from '../../web/shared/map/points.ts'
import { nearbyOf, resultsOf } from '../../web/site/map/results.ts'

describe('marks', () => {
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
  })

  /** What the map of the network shows on a desktop, about: 740 by 600 pixels. */
  function viewAt(zoom: number, { latitude, longitude } = MIDDLE_OF_US): View {
    const degrees = 360 / (256 * 2 ** zoom)
    const [east, north] = [370 * degrees, 300 * degrees * Math.cos((latitude * Math.PI) / 180)]
    return { bounds: [longitude - east, latitude - north, longitude + east, latitude + north], zoom }
  }
})

describe('the list beside the map', () => {
  const AUSTIN = { latitude: 30, longitude: -97, name: 'Austin, TX', zip: '78701' }
  const NONE = { isFree: false, hasFinancing: false }
  /** About 69 miles for each degree to the north. */
  const north = (id: number, miles: number, offers = {}) => ({
    ...{ id, latitude: 30 + miles / 69.09, longitude: -97, ...offers },
  })
  const around = (points: ReturnType<typeof north>[], wanted = NONE) =>
    resultsOf(points, { origin: AUSTIN }, wanted, 100)
  const at = (...miles: number[]) => around(miles.map((each) => north(each, each)))
  const ids = ({ listed }: { listed: { id: number }[] }) => listed.map(({ id }) => id)

  it('has those within 50 miles, nearest first, or is filled up with those within reach, or with the nearest one', () => {
    const near = at(9, 3, 45, 12, 30, 20, 60)
    expect([ids(near), near.counts.total]).toEqual([[3, 9, 12, 20, 30, 45], 6])
    expect(near.nearestMiles).toBeCloseTo(3, 1)
    expect(ids(at(10, 60, 99, 130))).toEqual([10, 60, 99])
    const far = at(700, 800)
    expect([ids(far), far.counts.total]).toEqual([[700], 0])
  })

  it('has no more than 20', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ ...north(index, 1), miles: 1 }))
    expect(nearbyOf(many, 100)).toHaveLength(20)
    expect([around(many).listed.length, around(many).counts.total]).toEqual([20, 40])
  })

  it('counts no clinic that takes no patients, and lists it last', () => {
    const results = around([north(1, 1, { isInactive: true }), north(2, 20)])
    expect([ids(results), results.counts.total]).toEqual([[2, 1], 1])
    expect(results.nearestMiles).toBeCloseTo(20, 0)
  })

  it('has only those with the offers that are wanted, and counts what each filter leaves', () => {
    const points = [north(1, 1, { isFree: true }), north(2, 2, { hasFinancing: true }), north(3, 3, { isFree: true })]
    const free = around(points, { isFree: true, hasFinancing: false })
    expect([ids(free), free.counts]).toEqual([[1, 3], { total: 2, free: 2, financing: 0 }])
    expect(ids(around(points, { isFree: true, hasFinancing: true }))).toEqual([])
  })

  it('has those in a part of the map, nearest to its middle first, or to the place that was searched for', () => {
    const view: [number, number, number, number] = [-98, 30, -96, 32]
    const points = [north(1, 10), north(2, 65), north(3, 120), north(4, 300)]
    expect(ids(resultsOf(points, { view }, NONE, 100))).toEqual([2, 3, 1])
    expect(ids(resultsOf(points, { view, from: AUSTIN }, NONE, 100))).toEqual([1, 2, 3])
  })

  it('has those of a state and no neighbors, and everything by state where that is too long', () => {
    const points = Array.from({ length: 21 }, (_, index) => north(index, index, { state: index < 3 ? 'TX' : 'OK' }))
    const texas = resultsOf(points, { state: 'TX', middle: AUSTIN }, NONE, 100)
    expect([ids(texas), texas.counts.total, texas.states]).toEqual([[0, 1, 2], 3, []])
    const all = resultsOf(points, { all: true }, NONE, 100)
    expect([ids(all), all.counts.total, all.states]).toEqual([
      [],
      21,
      [
        { state: 'OK', clinics: 18 },
        { state: 'TX', clinics: 3 },
      ],
    ])
    expect(ids(resultsOf(points.slice(0, 4), { all: true }, NONE, 100))).toHaveLength(4)
  })
})
