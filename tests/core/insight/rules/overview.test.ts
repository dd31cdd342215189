import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/errors.ts'
import { dueWeek, periodBefore, periodOf } from '../../../../core/insight/rules/overview.ts'

const NEW_YORK = 'America/New_York'
// Half past eleven in the evening of March 15 in New York.
const NOW = new Date('2026-03-16T03:30:00Z')

describe('periodOf', () => {
  it.each([
    [{}, '2026-02-14', '2026-03-15'],
    [{ to: '2026-03-01' }, '2026-01-31', '2026-03-01'],
    [{ from: '2026-02-01' }, '2026-02-01', '2026-03-02'],
    [{ from: '2026-03-15', to: '2026-03-15' }, '2026-03-15', '2026-03-15'],
    [{ from: '2023-12-31', to: '2024-03-31' }, '2023-12-31', '2024-03-31'],
  ])('%o: %s to %s', (query, from, to) => {
    expect(periodOf(query, NOW, NEW_YORK)).toEqual({ from, to })
  })

  it.each([
    ['Pacific/Honolulu', '2026-11-14'],
    ['America/New_York', '2026-11-15'],
    ['Asia/Tokyo', '2026-11-15'],
  ])('ends today, which in %s is %s', (timeZone, today) => {
    expect(periodOf({}, new Date('2026-11-15T09:00:00Z'), timeZone).to).toBe(today)
  })

  it('refuses an end before the beginning, and more than three months', () => {
    const refusal = (message: string) => new AppError('invalid', message, { fields: { to: message } })
    expect(() => periodOf({ from: '2026-03-02', to: '2026-03-01' }, NOW, NEW_YORK)).toThrow(
      refusal('The last day must not be before the first.'),
    )
    expect(() => periodOf({ from: '2026-01-01', to: '2026-04-03' }, NOW, NEW_YORK)).toThrow(
      refusal('A period has 92 days at most.'),
    )
  })
})

it('the period before has the same length, and ends the day before', () => {
  expect(periodBefore({ from: '2026-03-01', to: '2026-03-10' })).toEqual({ from: '2026-02-19', to: '2026-02-28' })
})

const week = (now: string, timeZone = NEW_YORK) => dueWeek(new Date(now), timeZone)

describe('the week of the report', () => {
  const LAST = { from: '2026-11-16', to: '2026-11-22' }

  it.each([
    ['a minute before Monday, 08:00', '2026-11-23T12:59:00Z', null],
    ['on Monday at 08:00', '2026-11-23T13:00:00Z', LAST],
    ['early on Tuesday', '2026-11-24T06:00:00Z', LAST],
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
