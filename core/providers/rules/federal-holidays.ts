import { tz } from '@date-fns/tz'
import { parse } from 'date-fns'
import { dayOf } from '../../dates.ts'
import { DAY } from '../../time.ts'
import type { NetworkPause } from '../contract/provider-rules.ts'

/** A day of a month, or a weekday of it (1 is Monday): the `nth`, or the last one for -1. */
type Rule = number | { weekday: number; nth: number }

/** The holidays of 5 U.S.C. 6103(a), by month and rule. */
const HOLIDAYS: [name: string, month: number, rule: Rule][] = [
  ['New Year’s Day', 1, 1],
  ['Martin Luther King Jr. Day', 1, { weekday: 1, nth: 3 }],
  ['Presidents’ Day', 2, { weekday: 1, nth: 3 }],
  ['Memorial Day', 5, { weekday: 1, nth: -1 }],
  ['Juneteenth', 6, 19],
  ['Independence Day', 7, 4],
  ['Labor Day', 9, { weekday: 1, nth: 1 }],
  ['Columbus Day', 10, { weekday: 1, nth: 2 }],
  ['Veterans Day', 11, 11],
  ['Thanksgiving', 11, { weekday: 4, nth: 4 }],
  ['Christmas', 12, 25],
]

const isoOf = (date: Date) => date.toISOString().slice(0, 10)
const utc = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day))

function dateOf(year: number, month: number, rule: Rule): Date {
  if (typeof rule === 'number') return utc(year, month, rule)
  const { weekday, nth } = rule
  // The last one is the first of the next month, a week earlier.
  const first = utc(year, nth === -1 ? month + 1 : month, 1)
  const toWeekday = (weekday - first.getUTCDay() + 7) % 7
  return new Date(first.setUTCDate(1 + toWeekday + 7 * (nth === -1 ? -1 : nth - 1)))
}

/** Moves a holiday on a Saturday to Friday (5 U.S.C. 6103(b)), and one on a Sunday to Monday (Executive Order 11582). */
function observed(date: Date): Date {
  const shift = { 6: -1, 0: 1 }[date.getUTCDay()] ?? 0
  return new Date(date.setUTCDate(date.getUTCDate() + shift))
}

/** Lists the days on which federal holidays are observed, from an ISO date on for a year, the earliest first. */
export function federalHolidays(from: string): { name: string; day: string }[] {
  const year = Number(from.slice(0, 4))
  const until = `${year + 1}${from.slice(4)}`
  return [year, year + 1, year + 2]
    .flatMap((each) =>
      HOLIDAYS.map(([name, month, rule]) => ({ name, day: isoOf(observed(dateOf(each, month, rule))) })),
    )
    .filter(({ day }) => day >= from && day < until)
}

/** Returns the holidays of the next 12 months as pauses of a whole day of the network, without those that a pause covers. */
export function holidayPauses(now: Date, timeZone: string, pauses: NetworkPause[]) {
  const startOf = (day: string, days = 0) => {
    const next = isoOf(new Date(Date.parse(day) + days * DAY))
    return new Date(parse(next, 'yyyy-MM-dd', now, { in: tz(timeZone) }).getTime()).toISOString()
  }
  return federalHolidays(dayOf(now, timeZone))
    .map(({ name, day }) => ({ reason: name, starts_at: startOf(day), ends_at: startOf(day, 1) }))
    .filter(({ starts_at, ends_at }) => !pauses.some((one) => one.starts_at <= starts_at && one.ends_at >= ends_at))
}
