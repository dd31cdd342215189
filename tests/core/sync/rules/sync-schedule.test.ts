import fc from 'fast-check'
import cron from 'node-cron'
import { describe, expect, it } from 'vitest'
import { isOverdue, isSchedule, nextTime } from '../../../../core/sync/rules/sync-approval.ts'

const at = (time: string) => new Date(`2026-11-${time}Z`)

it.each([
  ['0 * * * *', '25T08:00:30', false],
  ['0 * * * *', '25T07:59:59', true],
  ['0 3 * * *', '24T03:01:00', false],
  ['0 3 * * *', '24T03:00:00', false],
  ['0 3 * * *', '24T02:59:00', true],
  // Wednesday; the last two working days were Wednesday and Tuesday.
  ['0 3 * * 1-5', '24T03:00:01', false],
  ['0 3 * * 1-5', '23T03:00:01', true],
])('a sync by %s at nine is overdue since %s: %s', (schedule, since, overdue) => {
  expect(isOverdue(schedule, at(since), at('25T09:30:00'), 'UTC')).toBe(overdue)
})

it('is not overdue before the first sync, which a person starts', () => {
  expect(isOverdue('0 3 * * *', null, at('25T09:30:00'), 'UTC')).toBe(false)
})

describe('a schedule', () => {
  it('says when the next time is, in its time zone', () => {
    expect(nextTime('7 3 * * *', at('25T03:07:00'), 'UTC')).toEqual(at('26T03:07:00'))
    expect(nextTime('7 3 * * *', at('25T03:06:59'), 'UTC')).toEqual(at('25T03:07:00'))
    expect(nextTime('7 3 * * *', at('25T03:06:59'), 'America/New_York')).toEqual(at('25T08:07:00'))
  })

  it('keeps its time of day when the clocks change', () => {
    const times = ['2026-03-07T12:00:00Z', '2026-03-08T12:00:00Z', '2026-10-31T12:00:00Z', '2026-11-01T12:00:00Z']
    expect(times.map((now) => nextTime('0 4 * * *', new Date(now), 'America/New_York').toISOString())).toEqual([
      '2026-03-08T08:00:00.000Z',
      '2026-03-09T08:00:00.000Z',
      '2026-11-01T09:00:00.000Z',
      '2026-11-02T09:00:00.000Z',
    ])
  })

  it.each([
    ['7 * * * *', true],
    ['*/15 2-6 * * MON', true],
    [' 7  3 * * * ', true],
    // Only node-cron takes it.
    ['0 22-2 * * *', false],
    ['* * * * * *', false],
    ['0 3 1,15 * *', true],
    ['0 3 * * 1-5', true],
    ['0 3 1 * 1', false],
    ['0 3 */2 * 1', false],
    ['61 * * * *', false],
    ['H 3 * * *', false],
    ['0 0 30 2 *', false],
    ['7\t* * * *', false],
    ['hourly', false],
    ['', false],
  ])('is %j: %s', (text, isOne) => {
    expect(isSchedule(text)).toBe(isOne)
  })

  const number = (min: number, max: number) => fc.integer({ min, max }).map(String)
  const part = (min: number, max: number, ...others: string[]) =>
    fc.oneof(
      fc.constantFrom('*', '?', 'L', '*/2', '*/7', ...others),
      number(min, max),
      fc.tuple(number(min, max), number(min, max)).map(([from, to]) => `${from}-${to}`),
      fc.array(number(min, max), { minLength: 2, maxLength: 4 }).map((values) => values.join(',')),
      fc.tuple(number(min, max), number(1, 9)).map(([from, step]) => `${from}-${max}/${step}`),
    )
  const expression = fc.tuple(
    part(0, 59, 'H'),
    part(0, 23, '22-2'),
    fc.oneof(fc.constant('*'), part(1, 31, '1W', 'LW')),
    fc.oneof(fc.constant('*'), part(1, 12, 'JAN', 'feb,MAR')),
    fc.oneof(fc.constant('*'), part(0, 7, 'SUN', 'MON-FRI', '5L', '1#1')),
  )

  it('is run when we say that it will be', () => {
    fc.assert(
      fc.property(expression, (parts) => {
        const schedule = parts.join(' ')
        if (!isSchedule(schedule)) return
        const before = new Date()
        const task = cron.schedule(schedule, () => {}, { timezone: 'America/New_York' })
        const next = task.getNextRun()
        task.destroy()
        // One of the times may have come in between.
        expect([before, new Date()].map((now) => nextTime(schedule, now, 'America/New_York'))).toContainEqual(next)
      }),
      { numRuns: 200 },
    )
  })
})
