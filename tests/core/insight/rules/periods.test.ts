import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/errors.ts'
import { periodBefore, periodOf } from '../../../../core/insight/rules/overview.ts'

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
