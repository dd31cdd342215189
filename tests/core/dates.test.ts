import { describe, expect, it } from 'vitest'
import { dayOf, formatDayAndTime, formatMoment } from '../../core/dates.ts'

describe('a moment', () => {
  it.each([
    ['America/New_York', '2026-11-15T04:30:00Z', '2026-11-14', 'Nov 14, 2026, 11:30 PM ET'],
    ['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08', 'Mar 8, 2026, 3:00 AM ET'],
    ['Pacific/Honolulu', '2026-11-15T09:00:00Z', '2026-11-14', 'Nov 14, 2026, 11:00 PM HST'],
    ['UTC', '2026-11-15T04:30:00Z', '2026-11-15', 'Nov 15, 2026, 4:30 AM GMT+0'],
  ])('in %s: %s', (zone, moment, day, words) => {
    expect(dayOf(moment, zone)).toBe(day)
    expect(formatMoment(moment, zone)).toBe(words)
  })

  it('of these days has the day of the week in place of the year', () => {
    expect(formatDayAndTime('2026-11-15T04:30:00Z', 'America/Chicago')).toBe('Sat, Nov 14, 10:30 PM CT')
    expect(formatDayAndTime('2026-11-15T04:30:00Z', 'America/Phoenix')).toBe('Sat, Nov 14, 9:30 PM MST')
  })
})
