import { tz, tzOffset } from '@date-fns/tz'
import lookUp from '@photostructure/tz-lookup'
import { parse } from 'date-fns/parse'
import type { CalledPlace } from '../../contract/hours.ts'
import { DAY, MINUTE } from '../../contract/time.ts'
import { dayOf } from '../../dates.ts'
import type { NetworkPause, WeekHours } from '../contract/provider-rules.ts'

/** A time in which no provider has to answer, such as a holiday. Times in milliseconds since 1970, as everywhere here. */
export type Pause = { from: number; until: number }

/** When a provider is open: weekly hours in an IANA time zone, without the pauses. */
export type Calendar = { hours: WeekHours; timeZone: string; pauses: Pause[] }

type Interval = { from: number; until: number }

/** The longest time, in days, to look ahead for the next open moment. */
const MAX_CLOSED_DAYS = 366

/**
 * Returns the earliest moment by which `ms` of open time have passed since `start`. It is never in closed time, unless `ms`
 * is 0. Returns null when the calendar has no open time for a year.
 */
export function addBusinessTime(start: number, ms: number, calendar: Calendar): number | null {
  if (ms <= 0) return start
  let left = ms
  for (const { from, until } of openTimes(start, calendar)) {
    if (until - from >= left) return from + left
    left -= until - from
  }
  return null
}

/** Returns the open time between two moments, in milliseconds. It is 0 when `to` is not after `from`. */
export function businessTimeBetween(from: number, to: number, calendar: Calendar): number {
  let total = 0
  for (const open of openTimes(from, calendar)) {
    if (open.from >= to) break
    total += Math.min(open.until, to) - open.from
  }
  return total
}

/** Returns the average open time of a day that has any, in milliseconds. Returns 0 for hours that never open. */
export function averageDay(hours: WeekHours): number {
  const days = Object.values(hours)
    .map((spans) => spansOf(spans).reduce((total, [from, until]) => total + until - from, 0))
    .filter((open) => open > 0)
  return days.reduce((total, open) => total + open, 0) / (days.length || 1)
}

/** Lists the open times after `start`, in order and without gaps of no length. Ends after `MAX_CLOSED_DAYS` without any. */
function* openTimes(start: number, { hours, timeZone, pauses }: Calendar): Generator<Interval> {
  const sorted = pauses.toSorted((a, b) => a.from - b.from)
  // One day early: a clock that is turned back at midnight returns to the day before.
  let day = Math.floor((start + offset(timeZone, start)) / DAY) * DAY - DAY
  let closedDays = 0
  let end = start
  while (closedDays <= MAX_CLOSED_DAYS) {
    closedDays += 1
    for (const [opens, closes] of spansOf(hours[weekdayOf(day)])) {
      const from = Math.max(toMoment(day + opens, timeZone), end)
      const until = toMoment(day + closes, timeZone)
      for (const open of without(sorted, { from, until })) {
        closedDays = 0
        end = open.until
        yield open
      }
    }
    day += DAY
  }
}

/** Cuts the pauses, which are sorted by their start, out of an interval. */
function* without(pauses: Pause[], { from, until }: Interval): Generator<Interval> {
  let cursor = from
  for (const pause of pauses) {
    if (pause.until <= cursor) continue
    if (pause.from >= until) break
    if (pause.from > cursor) yield { from: cursor, until: pause.from }
    cursor = pause.until
  }
  if (cursor < until) yield { from: cursor, until }
}

type Weekday = keyof WeekHours

/** Returns the ISO weekday of a local midnight. 1970 began on a Thursday. */
const weekdayOf = (day: number) => String(((((day / DAY + 3) % 7) + 7) % 7) + 1) as Weekday

/** Returns the spans of a day in milliseconds since midnight, in order; those that touch or overlap are one. */
function spansOf(spans: WeekHours[Weekday] = []): [from: number, until: number][] {
  const merged: [number, number][] = []
  const times = spans.map(([from, until]): [number, number] => [timeOf(from), timeOf(until)])
  for (const [from, until] of times.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], until)
    else merged.push([from, until])
  }
  return merged
}

function timeOf(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return (hour * 60 + minute) * MINUTE
}

/** Returns how far the local time is ahead of UTC, in milliseconds. */
const offset = (timeZone: string, moment: number) => tzOffset(timeZone, new Date(moment)) * MINUTE

/**
 * Returns the moment of a local time (as if it were UTC): the earlier one of a time that comes twice, and the moment of the
 * change for a time that is skipped. So later local times never have earlier moments.
 */
export function toMoment(local: number, timeZone: string): number {
  const [before, after] = [offset(timeZone, local - DAY), offset(timeZone, local + DAY)]
  const moments = [local - before, local - after].toSorted((a, b) => a - b)
  const [early = local, late = local] = moments
  if (early === late || early + offset(timeZone, early) === local) return early
  if (late + offset(timeZone, late) === local) return late
  return changeBetween(early, late, timeZone)
}

/** Finds the moment, to the millisecond, at which the clock is changed. */
function changeBetween(early: number, late: number, timeZone: string): number {
  const before = offset(timeZone, early)
  let [low, high] = [early, late]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offset(timeZone, middle) === before) low = middle
    else high = middle
  }
  return high
}

/** Returns the IANA time zone of a place, or null if its coordinates are not on Earth. */
export function timeZoneOf({ latitude, longitude }: { latitude: number; longitude: number }): string | null {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isPlace ? lookUp(latitude, longitude) : null
}

type Zip = { zip: string; latitude: number; longitude: number; city: string | null; state: string | null }

/** The states of military mail, whose zips say nothing of where a person is. */
const MILITARY = ['AA', 'AE', 'AP']

/** Returns the place where a visitor is called, by their zip; null if it is not known. */
export function calledPlace(zip: Zip | null): CalledPlace | null {
  const timeZone = zip && !MILITARY.includes(zip.state ?? '') ? timeZoneOf(zip) : null
  return zip && timeZone ? { name: zip.city ?? `zip ${zip.zip}`, state: zip.state, timeZone } : null
}

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
