import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../../../core/contract/time.ts'
import { JOBS } from '../../../../core/deliveries/jobs.ts'
import { retryDelay } from '../../../../core/deliveries/rules/failures.ts'

const policy = { attempts: 10, firstDelay: 10 * SECOND, maxDelay: 5 * MINUTE }

/** The sum of all waits of a job that fails until it is given up, in milliseconds. */
function patience(retry: typeof policy, random: number): number {
  let total = 0
  for (let failed = 1; ; failed++) {
    const delay = retryDelay(retry, failed, { random })
    if (delay === null) return total
    total += delay
  }
}

describe('retryDelay', () => {
  it('doubles from the first delay', () => {
    const delays = [1, 2, 3, 4].map((failed) => retryDelay(policy, failed, { random: 1 }))
    expect(delays).toEqual([10 * SECOND, 20 * SECOND, 40 * SECOND, 80 * SECOND])
  })

  it('never exceeds its cap', () => {
    for (let failed = 1; failed < policy.attempts; failed++) {
      expect(retryDelay(policy, failed, { random: 1 })).toBeLessThanOrEqual(policy.maxDelay)
    }
    expect(retryDelay(policy, 9, { random: 1 })).toBe(policy.maxDelay)
  })

  it('spreads between half of the delay and all of it', () => {
    expect(retryDelay(policy, 3, { random: 0 })).toBe(20 * SECOND)
    expect(retryDelay(policy, 3, { random: 0.5 })).toBe(30 * SECOND)
    const drawn = Array.from({ length: 200 }, () => Number(retryDelay(policy, 3)))
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(20 * SECOND)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(40 * SECOND)
    expect(new Set(drawn).size).toBeGreaterThan(100)
  })

  it('waits as long as the other side asked for, where that is longer', () => {
    expect(retryDelay(policy, 1, { retryAfter: HOUR, random: 0 })).toBe(HOUR)
    expect(retryDelay(policy, 1, { retryAfter: SECOND, random: 0 })).toBe(5 * SECOND)
  })

  it('never comes earlier than asked, and not all at once', () => {
    const drawn = Array.from({ length: 200 }, () => Number(retryDelay(policy, 1, { retryAfter: HOUR })))
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(HOUR)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(HOUR + policy.firstDelay)
    expect(new Set(drawn).size).toBeGreaterThan(100)
  })

  it('ends after the last attempt, whatever the other side asked for', () => {
    expect(retryDelay(policy, 9)).not.toBeNull()
    expect(retryDelay(policy, 10)).toBeNull()
    expect(retryDelay(policy, 11, { retryAfter: HOUR })).toBeNull()
  })

  it('makes a single attempt where the policy allows one', () => {
    expect(retryDelay({ ...policy, attempts: 1 }, 1)).toBeNull()
  })
})

describe.each(Object.keys(JOBS) as (keyof typeof JOBS)[])('%s', (name) => {
  // A purge has ended before the next night's.
  const others: Partial<Record<typeof name, [number, string]>> = {
    purge: [6 * HOUR, 'six hours'],
  }
  const [atLeast, words] = others[name] ?? [24 * HOUR, 'at least a day']
  it(`keeps trying for ${words}, even with the smallest jitter`, () => {
    expect(patience(JOBS[name].retry, 0)).toBeGreaterThanOrEqual(atLeast)
  })

  const soon = name === 'purge' ? MINUTE : 30 * SECOND
  it(`tries again within ${soon / SECOND} seconds after the first failure`, () => {
    expect(retryDelay(JOBS[name].retry, 1, { random: 1 })).toBeLessThanOrEqual(soon)
  })
})
