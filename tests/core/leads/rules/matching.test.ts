import { describe, expect, it } from 'vitest'
import { chooseProvider } from '../../../../core/leads/rules/matching.ts'

const near = (id: number, miles: number, leadCount = 0) => ({ id, miles, leadCount })

describe('chooseProvider', () => {
  it('takes the provider that the visitor chose, however far', () => {
    const match = chooseProvider({ chosen: { id: 7, miles: 2500 }, nearest: [near(1, 2)], radiusMiles: 100 })
    expect(match).toEqual({ providerId: 7, kind: 'chosen', miles: 2500 })
  })

  it('takes the nearest within the radius', () => {
    const match = chooseProvider({ chosen: null, nearest: [near(1, 40), near(2, 12)], radiusMiles: 100 })
    expect(match).toEqual({ providerId: 2, kind: 'nearest', miles: 12 })
  })

  it('counts a provider exactly on the radius as within it', () => {
    expect(chooseProvider({ chosen: null, nearest: [near(1, 100)], radiusMiles: 100 }).providerId).toBe(1)
  })

  it('says how far the nearest is when nobody is within the radius', () => {
    const match = chooseProvider({ chosen: null, nearest: [near(1, 100.01)], radiusMiles: 100 })
    expect(match).toEqual({ providerId: null, nearestMiles: 100.01 })
    const several = [{ id: 1, miles: null }, near(2, 130), near(3, 120)]
    expect(chooseProvider({ nearest: several, radiusMiles: 100 })).toEqual({ providerId: null, nearestMiles: 120 })
  })

  it('says nothing about a distance when there is nobody at all', () => {
    const nobody = { providerId: null, nearestMiles: null }
    expect(chooseProvider({ chosen: null, nearest: [], radiusMiles: 100 })).toEqual(nobody)
    expect(chooseProvider({ radiusMiles: 100 })).toEqual(nobody)
  })

  it('prefers fewer leads, then the lower id, among the equally near', () => {
    const tied = [near(3, 5, 9), near(2, 5, 4), near(1, 5, 4)]
    expect(chooseProvider({ chosen: null, nearest: tied, radiusMiles: 100 }).providerId).toBe(1)
    for (const two of [tied.slice(0, 2), tied.slice(0, 2).toReversed()]) {
      expect(chooseProvider({ nearest: two, radiusMiles: 100 }).providerId).toBe(2)
    }
  })

  it('says how many leads a provider got within the hour, where that is known', () => {
    const given = { providerId: 1, kind: 'nearest', miles: 2 }
    const nearest = [{ id: 1, miles: 2 }]
    expect(chooseProvider({ nearest, radiusMiles: 100 })).toStrictEqual(given)
    const counted = nearest.map((one) => ({ ...one, hourCount: 0 }))
    expect(chooseProvider({ nearest: counted, radiusMiles: 100 })).toStrictEqual({ ...given, hourCount: 0 })
  })
})
