import { describe, expect, it } from 'vitest'
import { nearbyOf, resultsOf } from '../../web/site/map/results.ts'

const AUSTIN = { latitude: 30, longitude: -97, name: 'Austin, TX', zip: '78701' }
const NONE = { isFree: false, hasFinancing: false }
/** About 69 miles for each degree to the north. */
const north = (id: number, miles: number, offers = {}) => ({
  id,
  latitude: 30 + miles / 69.09,
  longitude: -97,
  ...offers,
})
const ids = ({ listed }: { listed: { id: number }[] }) => listed.map(({ id }) => id)

describe('the list around a place', () => {
  it('has those within 50 miles, nearest first', () => {
    const near = [9, 3, 45, 12, 30, 20].map((miles) => north(miles, miles))
    const results = resultsOf([...near, north(60, 60)], { origin: AUSTIN }, NONE, 100)
    expect(ids(results)).toEqual([3, 9, 12, 20, 30, 45])
    expect(results.counts.total).toBe(6)
    expect(results.nearestMiles).toBeCloseTo(3, 1)
  })

  it('is filled up with those within reach, or with the nearest one', () => {
    expect(
      ids(
        resultsOf(
          [10, 60, 99, 130].map((miles) => north(miles, miles)),
          { origin: AUSTIN },
          NONE,
          100,
        ),
      ),
    ).toEqual([10, 60, 99])
    const far = resultsOf(
      [700, 800].map((miles) => north(miles, miles)),
      { origin: AUSTIN },
      NONE,
      100,
    )
    expect([ids(far), far.counts.total]).toEqual([[700], 0])
  })

  it('has no more than 20', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ ...north(index, 1), miles: 1 }))
    expect(nearbyOf(many, 100)).toHaveLength(20)
    const results = resultsOf(many, { origin: AUSTIN }, NONE, 100)
    expect([results.listed.length, results.counts.total]).toEqual([20, 40])
  })

  it('counts no clinic that takes no patients, but lists it', () => {
    const results = resultsOf([north(1, 1, { isInactive: true }), north(2, 20)], { origin: AUSTIN }, NONE, 100)
    expect([ids(results), results.counts.total]).toEqual([[1, 2], 1])
    expect(results.nearestMiles).toBeCloseTo(20, 0)
  })

  it('has only those with the offers that are wanted, and counts what each filter leaves', () => {
    const points = [north(1, 1, { isFree: true }), north(2, 2, { hasFinancing: true }), north(3, 3, { isFree: true })]
    const free = resultsOf(points, { origin: AUSTIN }, { isFree: true, hasFinancing: false }, 100)
    expect(ids(free)).toEqual([1, 3])
    expect(free.counts).toEqual({ total: 2, free: 2, financing: 0 })
    expect(ids(resultsOf(points, { origin: AUSTIN }, { isFree: true, hasFinancing: true }, 100))).toEqual([])
  })
})

describe('the list of a part of the map', () => {
  it('has those in it, nearest to its middle first, or to the place that was searched for', () => {
    const view: [number, number, number, number] = [-98, 30, -96, 32]
    const points = [north(1, 10), north(2, 65), north(3, 120), north(4, 300)]
    expect(ids(resultsOf(points, { view }, NONE, 100))).toEqual([2, 3, 1])
    expect(ids(resultsOf(points, { view, from: AUSTIN }, NONE, 100))).toEqual([1, 2, 3])
  })
})
