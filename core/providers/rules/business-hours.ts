import { tzOffset } from '@date-fns/tz'
import lookUp from '@photostructure/tz-lookup'
import type { CalledPlace } from '../../contract/hours.ts'
import { DAY, MINUTE } from '../../time.ts'
import type { WeekHours } from '../contract/provider-rules.ts'

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

/**
 * Lists the open times after `start`, in order and without gaps of no length. Ends after `MAX_CLOSED_DAYS` without any.
 */
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
