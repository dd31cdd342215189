import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference, isSplitUneven, plannedPerVariant, planOf, wilson } from '../../../core/rules/experiments.ts'

const rounded = ({ share, from, to }: NonNullable<ReturnType<typeof difference>>) =>
  [share, from, to].map((value) => Number(value.toFixed(4)))

describe('the interval of a difference', () => {
  // Newcombe (1998), table II, method 10, of the examples (a) 56/70 and 48/80, and (h) 10/10 and 0/10.
  it('is that of the published examples', () => {
    const a = { original: { seen: 80, submitted: 48 }, other: { seen: 70, submitted: 56 } }
    expect(rounded(difference(a) as never)).toEqual([0.2, 0.0524, 0.3339])
    const h = { original: { seen: 10, submitted: 0 }, other: { seen: 10, submitted: 10 } }
    expect(rounded(difference(h) as never)).toEqual([1, 0.6075, 1])
  })

  it('is none before both headings were seen', () => {
    expect(difference({ original: { seen: 0, submitted: 0 }, other: { seen: 9, submitted: 1 } })).toBeNull()
    expect(difference({ original: { seen: 9, submitted: 1 }, other: { seen: 0, submitted: 0 } })).toBeNull()
  })

  it('contains the difference, and mirrors it when the headings change places', () => {
    const trials = fc
      .tuple(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([seen, share]) => ({ seen, submitted: Math.round(seen * share) }))
    fc.assert(
      fc.property(trials, trials, (original, other) => {
        const there = difference({ original, other })
        const back = difference({ original: other, other: original })
        if (!there || !back) throw new Error('Both were seen.')
        expect(there.from).toBeLessThanOrEqual(there.share)
        expect(there.to).toBeGreaterThanOrEqual(there.share)
        expect(there.from).toBeCloseTo(-back.to, 10)
      }),
    )
  })

  // Wilson's interval of 0 of 10: the upper end is z² / (n + z²).
  it('comes from intervals that stay within 0 and 1', () => {
    const { from, to } = wilson({ seen: 10, submitted: 0 })
    expect([from, Number(to.toFixed(4))]).toEqual([0, 0.2775])
    expect(wilson({ seen: 10, submitted: 10 }).to).toBeCloseTo(1, 10)
  })

  it('covers the true difference in 95 of 100 experiments', () => {
    let state = 7
    const random = () => {
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
      return state / 2 ** 32
    }
    const draw = (share: number) => {
      let submitted = 0
      for (let n = 0; n < 1000; n++) submitted += Number(random() < share)
      return { seen: 1000, submitted }
    }
    let covered = 0
    for (let n = 0; n < 1000; n++) {
      const found = difference({ original: draw(0.05), other: draw(0.07) })
      covered += Number(found !== null && found.from <= 0.02 && found.to >= 0.02)
    }
    expect(covered).toBeGreaterThan(930)
    expect(covered).toBeLessThan(970)
  })
})

describe('the plan', () => {
  it('needs more page loads for a rarer event', () => {
    // 3% against 3.6%, and 10% against 12%. The formula is that of power.prop.test of R, too.
    expect(plannedPerVariant(0.03)).toBe(13_914)
    expect(plannedPerVariant(0.1)).toBe(3841)
  })

  it('takes the share that was measured before, or assumes one', () => {
    expect(planOf({ seen: 1000, submitted: 100 })).toEqual({ perVariant: 3841, baseline: 0.1, isMeasured: true })
    for (const few of [
      { seen: 499, submitted: 50 },
      { seen: 1000, submitted: 0 },
      { seen: 1000, submitted: 1000 },
    ]) {
      expect(planOf(few)).toEqual({ perVariant: 13_914, baseline: 0.03, isMeasured: false })
    }
  })
})

describe('the split', () => {
  it('is uneven when chance explains it in fewer than one of a thousand experiments', () => {
    const split = (original: number, other: number) =>
      isSplitUneven({ original: { seen: original, submitted: 0 }, other: { seen: other, submitted: 0 } })
    // 10,000 page loads: a standard deviation of 50 on each side, and 3.29 of them.
    expect([split(5164, 4836), split(5165, 4835), split(4835, 5165)]).toEqual([false, true, true])
    expect([split(0, 0), split(3, 0), split(12, 0)]).toEqual([false, false, true])
  })
})
