import { expect, it } from 'vitest'
import { healthOf } from '../../../../core/conditions/rules/alerts.ts'

/** E-mails from the newest to the oldest, a day apart: `+` delivered, `-` failed, `~` retrying. */
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
