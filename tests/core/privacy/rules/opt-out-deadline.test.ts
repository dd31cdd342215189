import { expect, it } from 'vitest'
import { optOutDeadline } from '../../../../core/privacy/rules/opt-outs.ts'

const EASTERN = 'America/New_York'

it.each([
  ['on a Monday: the Monday after next', '2026-11-09T15:00:00.000Z', '2026-11-23T15:00:00.000Z'],
  ['on a Friday', '2026-11-13T15:00:00.000Z', '2026-11-27T15:00:00.000Z'],
  ['on a Saturday: Monday is the first of ten', '2026-11-14T15:00:00.000Z', '2026-11-27T15:00:00.000Z'],
  ['late on a Friday that is Saturday in UTC', '2026-11-14T03:00:00.000Z', '2026-11-28T03:00:00.000Z'],
  ['across the end of summer time, at the same time of day', '2026-10-26T13:00:00.000Z', '2026-11-09T14:00:00.000Z'],
])('a clinic has ten business days %s', (_, asked, due) => {
  expect(optOutDeadline(new Date(asked), EASTERN).toISOString()).toBe(due)
})
