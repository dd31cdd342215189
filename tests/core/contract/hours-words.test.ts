import { describe, expect, it } from 'vitest'
import { closedDaysInWords, closesDays, hoursInWords } from '../../../core/contract/hours.ts'
import { USUAL_HOURS, WeekHours } from '../../../core/providers/contract/provider-rules.ts'

const NINE_TO_FIVE: [string, string][] = [['09:00', '17:00']]

it.each<[WeekHours | null, string]>([
  [null, 'the usual hours'],
  [USUAL_HOURS, 'Mon–Fri 9–5, closed Sat–Sun'],
  [{ 1: NINE_TO_FIVE }, 'Mon 9–5, closed Tue–Sun'],
  [
    { 1: NINE_TO_FIVE, 3: NINE_TO_FIVE, 5: [['08:30', '12:00']] },
    'Mon, Wed 9–5, Fri 8:30–12, closed Tue, Thu, Sat–Sun',
  ],
  [
    {
      1: [
        ['09:00', '12:00'],
        ['13:00', '17:00'],
      ],
      2: [],
    },
    'Mon 9–12 and 1 PM–5 PM, closed Tue–Sun',
  ],
  [{ 6: [['20:00', '24:00']], 7: [['00:00', '24:00']] }, 'Sat 8 PM–12 AM, Sun all day, closed Mon–Fri'],
])('hours in words %j: %s', (hours, words) => {
  expect(hoursInWords(hours)).toBe(words)
})

describe('closed days', () => {
  it.each<[WeekHours, string]>([
    [{ 1: NINE_TO_FIVE }, 'Tuesday to Sunday'],
    [USUAL_HOURS, 'Saturday and Sunday'],
    [{ 2: NINE_TO_FIVE, 4: NINE_TO_FIVE }, 'Monday, Wednesday and Friday to Sunday'],
    [{ ...USUAL_HOURS, 6: NINE_TO_FIVE, 7: NINE_TO_FIVE }, ''],
  ])('of %j: %s', (hours, words) => {
    expect(closedDaysInWords(hours)).toBe(words)
  })

  it('are new only where a day was open', () => {
    expect(closesDays(USUAL_HOURS, { 1: NINE_TO_FIVE })).toBe(true)
    expect(closesDays(USUAL_HOURS, { ...USUAL_HOURS, 5: [] })).toBe(true)
    expect(closesDays({ 1: NINE_TO_FIVE }, USUAL_HOURS)).toBe(false)
  })
})

it.each([
  ['9am-5pm', ['09:00', '17:00']],
  ['9-5', ['09:00', '17:00']],
  ['9:00 – 17:00', ['09:00', '17:00']],
  ['9 to 12', ['09:00', '12:00']],
  ['12pm-6:30 p.m.', ['12:00', '18:30']],
  [
    ['12am', '930'],
    ['00:00', '09:30'],
  ],
  [
    ['09:00', '24:00'],
    ['09:00', '24:00'],
  ],
])('hours typed as %j are understood', (typed, span) => {
  expect(WeekHours.parse({ 1: [typed] })).toEqual({ 1: [span] })
})

it.each([['tomorrow'], ['25:00-26:00'], [['17:00', '09:00']], [['09:00', '']], [null], ['9-10-11']])(
  'hours typed as %j are refused',
  (typed) => expect(WeekHours.safeParse({ 1: [typed] }).success).toBe(false),
)
