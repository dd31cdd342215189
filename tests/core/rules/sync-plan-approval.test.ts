import { describe, expect, it } from 'vitest'
import { allowedDeactivations, needsApproval, planSync } from '../../../core/rules/sync-plan.ts'
import { inactive, provider, reading } from '../../support/sync-plan.ts'

const many = (count: number) => Array.from({ length: count }, (_, index) => provider(index + 1))

describe('how many may be deactivated without approval', () => {
  it.each([
    [0, 3],
    [30, 3],
    [39, 3],
    [40, 4],
    [1000, 100],
  ])('of %i active providers: %i', (active, allowed) => expect(allowedDeactivations(active)).toBe(allowed))

  it('counts active providers only', () => {
    const known = [...many(39), provider(40, { isActive: false })]
    expect(planSync(known, reading([])).allowedDeactivations).toBe(3)
  })

  it('is exceeded by one more', () => {
    const plan = (count: number) => planSync(many(10), reading(many(count).map(({ id }) => inactive(id))))
    expect(plan(3)).toMatchObject({ isMassDeactivation: false, deactivations: [1, 2, 3] })
    expect(plan(4)).toMatchObject({ isMassDeactivation: true, deactivations: [1, 2, 3, 4] })
  })

  it('counts those that are gone with those that are inactive', () => {
    const known = many(10).map((one) => ({ ...one, missedSyncs: 2 }))
    const posts = [inactive(1), inactive(2)]
    expect(planSync(known, reading(posts, { gone: new Set([30]) })).isMassDeactivation).toBe(false)
    expect(planSync(known, reading(posts, { gone: new Set([30, 40]) })).isMassDeactivation).toBe(true)
  })
})

describe('a mass deactivation', () => {
  const plan = planSync(many(10), reading([1, 2, 3, 4, 5].map(inactive)))

  it('needs approval, unless everything is approved', () => {
    expect(needsApproval(plan, [])).toBe(true)
    expect(needsApproval(plan, 'all')).toBe(false)
  })

  it('needs approval while too many are not approved', () => {
    expect(needsApproval(plan, [1])).toBe(true)
    expect(needsApproval(plan, [1, 5])).toBe(false)
    expect(needsApproval(plan, [6, 7])).toBe(true)
  })

  it('is none when few are deactivated', () => {
    const small = planSync(many(10), reading([1, 2, 3].map(inactive)))
    expect(needsApproval(small, [])).toBe(false)
  })
})
