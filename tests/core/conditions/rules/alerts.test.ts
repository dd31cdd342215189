import { describe, expect, it } from 'vitest'
import {
  compare,
  dueAt,
  type Finding,
  healthOf,
  maskAddress,
  targetProblem,
} from '../../../../core/conditions/rules/alerts.ts'
import { MINUTE } from '../../../../core/contract/time.ts'

const NOW = new Date('2027-02-10T15:20:00Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const finding = (subject: string): Finding => ({
  event: 'no-answer',
  subject,
  title: `Late: ${subject}`,
  path: '/admin',
})
const state = (id: number, subject: string, unseen = 0) => ({
  ...{ id, event: 'no-answer' as const, subject },
  lastSeenAt: ago(unseen),
})

describe('what is wrong, compared with what was known', () => {
  it('opens what is new, once however often it is found, and goes on with what is known', () => {
    const { opened, goingOn, ended } = compare([finding('1'), finding('2'), finding('2')], [state(7, '1')], NOW)
    expect(opened).toEqual([finding('2')])
    expect(goingOn).toEqual([{ state: state(7, '1'), finding: finding('1') }])
    expect(ended).toEqual([])
  })

  it('ends what was not found for three minutes, not what was missing for a moment', () => {
    const [calm, brief] = [state(7, '1', 3 * MINUTE), state(8, '2', 2 * MINUTE)]
    expect(compare([], [calm, brief], NOW)).toEqual({ opened: [], goingOn: [], ended: [calm] })
  })

  it('distinguishes the same subject of two events', () => {
    const other: Finding = { ...finding('1'), event: 'held' }
    expect(compare([other], [state(7, '1')], NOW).opened).toEqual([other])
  })
})

it.each<[string, Parameters<typeof dueAt>[0], string, string, number?, string?]>([
  ['at once', 'at_once', '2027-02-10T15:20:00Z', '2027-02-10T15:20:00.000Z'],
  ['at the next full hour', 'hourly', '2027-02-10T15:20:00Z', '2027-02-10T16:00:00.000Z'],
  ['later today at the local hour', 'daily', '2027-02-10T12:59:00Z', '2027-02-10T13:00:00.000Z'],
  ['tomorrow, once the hour is reached', 'daily', '2027-02-10T13:00:00Z', '2027-02-11T13:00:00.000Z'],
  ['by the clock of summer after the change', 'daily', '2027-03-13T15:00:00Z', '2027-03-14T12:00:00.000Z'],
  ['in another time zone', 'daily', '2027-02-10T12:59:00Z', '2027-02-11T03:00:00.000Z', 17, 'Pacific/Honolulu'],
  ['at midnight', 'daily', '2027-02-10T12:59:00Z', '2027-02-11T05:00:00.000Z', 0],
])('when a channel gets its messages %s', (_, rhythm, now, expected, dailyHour = 8, timeZone = 'America/New_York') => {
  expect(dueAt(rhythm, new Date(now), { dailyHour, timeZone }).toISOString()).toBe(expected)
})

describe('the address of a channel', () => {
  it.each([
    ['https://hooks.example.com/services/T1/B2/xyz', null],
    ['http://hooks.example.com/x', 'The address must begin with https://.'],
    ['https://ada:secret@hooks.example.com/x', 'The address must not contain a user name or a password.'],
    ['https://ada@hooks.example.com/x', 'The address must not contain a user name or a password.'],
    ['http://localhost:4000/x', 'private network'],
    ['https://10.0.0.4/x', 'private network'],
    ['https://[::1]/x', 'private network'],
    ['http://chat.internal/x', null],
  ])('%s: %s', (address, problem) => {
    const found = targetProblem(address, ['chat.internal'])
    if (problem === null) expect(found).toBeNull()
    else expect(found).toContain(problem)
  })

  it('is shown by its host and its last characters, and a short one by its host', () => {
    expect(maskAddress('https://hooks.example.com/services/T1/B2/secret1234')).toBe('hooks.example.com/…1234')
    expect(maskAddress('https://hooks.example.com/abcdefg')).toBe('hooks.example.com/…')
  })
})

/** Emails from the newest to the oldest, a day apart: `+` delivered, `-` failed, `~` retrying. */
const mails = (marks: string) =>
  [...marks].map((mark, index) => ({
    state: mark === '+' ? ('delivered' as const) : mark === '-' ? ('failed' as const) : ('retrying' as const),
    at: `2026-11-${30 - index}T09:00:00.000Z`,
  }))

it.each([
  ['', { state: 'none', since: null, failed: 0, of: 0 }],
  ['+++', { state: 'ok', since: null, failed: 0, of: 3 }],
  ['-', { state: 'trouble', since: null, failed: 1, of: 1 }],
  ['-+++', { state: 'trouble', since: null, failed: 1, of: 4 }],
  ['+----', { state: 'trouble', since: null, failed: 4, of: 5 }],
  ['--+-', { state: 'trouble', since: null, failed: 3, of: 4 }],
  ['~--------+', { state: 'bouncing', since: '2026-11-22T09:00:00.000Z', failed: 9, of: 10 }],
  ['---', { state: 'bouncing', since: '2026-11-28T09:00:00.000Z', failed: 3, of: 3 }],
])('the health of an address %j', (marks, health) => expect(healthOf(mails(marks))).toEqual(health))
