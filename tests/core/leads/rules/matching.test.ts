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
  })

  it('says nothing about a distance when there is nobody at all', () => {
    const nobody = { providerId: null, nearestMiles: null }
    expect(chooseProvider({ chosen: null, nearest: [], radiusMiles: 100 })).toEqual(nobody)
    expect(chooseProvider({ radiusMiles: 100 })).toEqual(nobody)
  })

  it('prefers fewer leads, then the lower id, among the equally near', () => {
    const tied = [near(3, 5, 9), near(2, 5, 4), near(1, 5, 4)]
    expect(chooseProvider({ chosen: null, nearest: tied, radiusMiles: 100 }).providerId).toBe(1)
  })
})
