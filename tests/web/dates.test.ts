import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  formatDay,
  formatMoment,
  formatSoon,
  hourOfDay,
  lastDays,
  momentOfInput,
  setTimeZone,
  timeZoneName,
  yesterday,
} from '../../web/lib/dates.ts'

afterEach(() => {
  vi.useRealTimers()
  setTimeZone('America/New_York')
})

const at = (now: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })

describe('a moment', () => {
  it.each([
    ['America/New_York', 'Nov 14, 2026', 'Nov 14, 2026, 11:30:00 PM ET', 'Eastern Time'],
    ['America/Chicago', 'Nov 14, 2026', 'Nov 14, 2026, 10:30:00 PM CT', 'Central Time'],
    ['Pacific/Honolulu', 'Nov 14, 2026', 'Nov 14, 2026, 6:30:00 PM HST', 'Hawaii-Aleutian Standard Time'],
    ['America/Halifax', 'Nov 15, 2026', 'Nov 15, 2026, 12:30:00 AM AT', 'Atlantic Time'],
  ])('is shown in %s', (zone, day, moment, name) => {
    setTimeZone(zone)
    expect(formatDay('2026-11-15T04:30:00.000Z')).toBe(day)
    expect(formatMoment('2026-11-15T04:30:00.000Z')).toBe(moment)
    expect(timeZoneName()).toBe(name)
  })

  it('of the next hours has its day where that is another one', () => {
    at('2026-11-15T04:30:00Z')
    expect(formatSoon('2026-11-15T04:45:00Z')).toBe('11:45 PM ET')
    expect(formatSoon('2026-11-15T05:15:00Z')).toBe('Nov 15, 12:15 AM ET')
  })

  it('that there is none of is a hyphen', () => {
    expect(formatDay(null)).toBe('-')
  })
})

describe('a time of the network', () => {
  it('is a full hour of today or of a later day, also over a change of the clock', () => {
    // Sunday, 12:30 AM in New York: the clock goes back at two.
    at('2026-11-01T04:30:00Z')
    expect(hourOfDay(0, 17)).toBe('2026-11-01T22:00:00.000Z')
    expect(hourOfDay(1, 8)).toBe('2026-11-02T13:00:00.000Z')
    setTimeZone('America/Los_Angeles')
    expect(hourOfDay(0, 17)).toBe('2026-11-01T00:00:00.000Z')
  })

  it('is what was typed by its clock, and nothing where that is not whole', () => {
    setTimeZone('America/Los_Angeles')
    expect(momentOfInput('2026-11-20T09:05')).toBe('2026-11-20T17:05:00.000Z')
    expect(momentOfInput('')).toBe('')
  })
})

describe('a period', () => {
  it('ends today, also at eleven in the evening in Honolulu', () => {
    at('2026-11-15T09:00:00Z')
    setTimeZone('Pacific/Honolulu')
    expect(lastDays(1)).toEqual({ from: '2026-11-14', to: '2026-11-14' })
    expect(lastDays(7)).toEqual({ from: '2026-11-08', to: '2026-11-14' })
    expect(yesterday()).toEqual({ from: '2026-11-13', to: '2026-11-13' })
  })

  it.each([
    ['2026-03-09T03:30:00Z', '2026-03-08', '2026-03-07', '2026-02-07'],
    ['2026-11-02T04:30:00Z', '2026-11-01', '2026-10-31', '2026-10-03'],
  ])('counts days of 23 and of 25 hours as one (%s)', (now, today, before, first) => {
    at(now)
    expect(lastDays(1).to).toBe(today)
    expect(yesterday().from).toBe(before)
    expect(lastDays(30)).toEqual({ from: first, to: today })
  })
})
