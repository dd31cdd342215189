import { describe, expect, it } from 'vitest'
import { dueMonth, dueWeek } from '../../../core/rules/reports.ts'

const NEW_YORK = 'America/New_York'
const week = (now: string, timeZone = NEW_YORK) => dueWeek(new Date(now), timeZone)
const month = (now: string, timeZone = NEW_YORK) => dueMonth(new Date(now), timeZone)

describe('the week of the report', () => {
  const LAST = { from: '2026-11-16', to: '2026-11-22' }

  it.each([
    ['a minute before Monday, 08:00', '2026-11-23T12:59:00Z', null],
    ['on Monday at 08:00', '2026-11-23T13:00:00Z', LAST],
    ['on Wednesday', '2026-11-25T03:00:00Z', LAST],
    ['in the last minute of Sunday', '2026-11-30T04:59:00Z', LAST],
    ['in the first minute of the next Monday', '2026-11-30T05:00:00Z', null],
    ['on that Monday at 08:00', '2026-11-30T13:00:00Z', { from: '2026-11-23', to: '2026-11-29' }],
    ['across a new year', '2027-01-04T13:00:00Z', { from: '2026-12-28', to: '2027-01-03' }],
    ['across a leap day', '2028-03-06T13:00:00Z', { from: '2028-02-28', to: '2028-03-05' }],
  ])('%s', (_, now, expected) => expect(week(now)).toEqual(expected))

  it('follows the clock of the network when daylight saving time begins and ends', () => {
    expect([week('2026-03-09T11:59:00Z'), week('2026-03-09T12:00:00Z')]).toEqual([
      null,
      { from: '2026-03-02', to: '2026-03-08' },
    ])
    expect([week('2026-11-02T12:59:00Z'), week('2026-11-02T13:00:00Z')]).toEqual([
      null,
      { from: '2026-10-26', to: '2026-11-01' },
    ])
  })

  it.each([
    ['Pacific/Kiritimati', '2026-11-22T18:00:00Z'],
    ['Asia/Kolkata', '2026-11-23T02:30:00Z'],
    ['UTC', '2026-11-23T08:00:00Z'],
    ['Pacific/Honolulu', '2026-11-23T18:00:00Z'],
  ])('begins at 08:00 in %s', (timeZone, at) => {
    expect(week(new Date(Date.parse(at) - 1).toISOString(), timeZone)).toBeNull()
    expect(week(at, timeZone)).toEqual(LAST)
  })
})

describe('the month of the scorecards', () => {
  it.each([
    ['a minute before 08:00 on the first', '2026-11-01T12:59:00Z', null],
    ['at 08:00 on the first, on which clocks are turned back', '2026-11-01T13:00:00Z', ['2026-10-01', '2026-10-31']],
    ['at the end of the seventh', '2026-11-08T04:59:00Z', ['2026-10-01', '2026-10-31']],
    ['on the eighth', '2026-11-08T05:00:00Z', null],
    ['on the last day', '2026-11-30T20:00:00Z', null],
    ['after a February', '2026-03-02T13:00:00Z', ['2026-02-01', '2026-02-28']],
    ['after a leap February', '2028-03-01T13:00:00Z', ['2028-02-01', '2028-02-29']],
    ['after a December', '2027-01-03T13:00:00Z', ['2026-12-01', '2026-12-31']],
  ])('%s', (_, now, days) => expect(month(now)).toEqual(days && { from: days[0], to: days[1] }))

  it('ends where the network is', () => {
    expect(month('2026-10-31T18:00:00Z', 'Pacific/Kiritimati')).toEqual({ from: '2026-10-01', to: '2026-10-31' })
    expect(month('2026-11-01T17:59:00Z', 'Pacific/Honolulu')).toBeNull()
  })
})
