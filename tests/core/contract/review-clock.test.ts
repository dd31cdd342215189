import { describe, expect, it } from 'vitest'
import { reviewClock } from '../../../core/applications/contract/applications.ts'
import { HOUR } from '../../../core/contract/time.ts'

const start = Date.parse('2026-03-02T15:00:00Z')
const after = (hours: number) => new Date(start + hours * HOUR).toISOString()
const clock = (now: number, reviewed?: number) =>
  reviewClock(
    { promised_at: after(0), reviewed_at: reviewed === undefined ? null : after(reviewed) },
    start + now * HOUR,
  )

describe('the clock of the promised review', () => {
  it('runs for 24 hours, is due until 48, and is late then', () => {
    expect([1, 23.9, 24, 48, 48.1].map((hours) => clock(hours)?.state)).toEqual(['open', 'open', 'due', 'due', 'late'])
    expect(clock(30)?.ms).toBe(30 * HOUR)
  })

  it('stops at the review', () => {
    expect(clock(100, 5)).toEqual({ state: 'kept', ms: 5 * HOUR })
    expect(clock(100, 60)).toEqual({ state: 'kept_late', ms: 60 * HOUR })
  })

  it('does not run without a promise', () => {
    expect(reviewClock({ promised_at: null, reviewed_at: null }, start)).toBeNull()
  })
})
