import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VITALS } from '../../../core/contract/page-views.ts'
import { bucketOf, summarize, VITAL_SCALES } from '../../../core/rules/web-vitals.ts'

describe('the buckets of a vital', () => {
  it.each(VITALS)('of %s rise, and its thresholds are ends of buckets', (vital) => {
    const { ends, good, fair } = VITAL_SCALES[vital]
    expect(ends).toEqual(ends.toSorted((a, b) => a - b))
    expect(new Set(ends).size).toBe(ends.length)
    expect(ends).toEqual(expect.arrayContaining([good, fair]))
  })

  it('contain their upper end', () => {
    expect([0, 500, 501, 2500, 2501, 12_000, 12_001].map((ms) => bucketOf('lcp', ms))).toEqual([0, 0, 1, 8, 9, 15, 16])
  })
})

describe('the 75th percentile', () => {
  const summaryOf = (vital: 'lcp' | 'cls', values: number[]) => {
    const counts = new Map<number, number>()
    for (const value of values) counts.set(bucketOf(vital, value), (counts.get(bucketOf(vital, value)) ?? 0) + 1)
    return summarize(vital, counts)
  }

  it('is the end of the bucket in which three quarters are reached', () => {
    expect(summaryOf('lcp', [700, 900, 2400, 9000])).toEqual({
      ...{ count: 4, p75: 2500, isAbove: false, rating: 'good', good: 3, needsImprovement: 0, poor: 1 },
    })
    expect(summaryOf('lcp', [700, 900, 2600, 3900])).toMatchObject({ p75: 3000, rating: 'needs improvement' })
    expect(summaryOf('cls', [0, 0.3])).toMatchObject({ p75: 0.5, rating: 'poor', good: 1, poor: 1 })
  })

  it('is above the last end where the values are', () => {
    expect(summaryOf('lcp', [20_000])).toMatchObject({ p75: 12_000, isAbove: true, rating: 'poor', poor: 1 })
  })

  it('is never below the true one, and in the same rating', () => {
    const { good, fair } = VITAL_SCALES.lcp
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 15_000 }), { minLength: 1 }), (values) => {
        const found = summaryOf('lcp', values)
        const exact = values.toSorted((a, b) => a - b)[Math.ceil(0.75 * values.length) - 1] ?? 0
        expect(found.isAbove || found.p75 >= exact).toBe(true)
        expect(found.rating).toBe(exact <= good ? 'good' : exact <= fair ? 'needs improvement' : 'poor')
        expect(found.good + found.needsImprovement + found.poor).toBe(values.length)
      }),
    )
  })
})
