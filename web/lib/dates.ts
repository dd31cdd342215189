import { tz, tzName } from '@date-fns/tz'
import { addDays, format, formatDistanceStrict, isThisYear, isToday, parse, set, subDays } from 'date-fns'
import { DAY, MINUTE } from '../../core/contract/time.ts'

/** The network's time zone, in which everybody sees days and times, wherever they are. */
let timeZone = 'America/New_York'

const zone = () => ({ in: tz(timeZone) })

/** Sets the network's time zone. Call it with the server's value before any date is shown. */
export function setTimeZone(name: string): void {
  timeZone = name
}

/** Returns the name of the time zone: `Eastern Time`. */
export function timeZoneName(): string {
  return tzName(timeZone, new Date(), 'longGeneric')
}

/** The day of an ISO time: `Nov 20, 2026`, or `-` if there is none. */
export function formatDay(time: string | null): string {
  return time ? format(time, 'MMM d, yyyy', zone()) : '-'
}

/** The time of day of an ISO time: `2:53 PM`; nothing if there is none. */
export function formatTime(time: string | null): string {
  return time ? format(time, 'h:mm a', zone()) : ''
}

/** The day of an ISO time, with its year only if that is not this one: `Dec 1`. */
export function formatShortDay(time: string): string {
  return format(time, isThisYear(time, zone()) ? 'MMM d' : 'MMM d, yyyy', zone())
}

/** Returns whether an ISO time is on this day of the network. */
export const isOfToday = (time: string) => isToday(time, zone())

export const isoDayOf = (time: string) => format(time, 'yyyy-MM-dd', zone())

/** The first moment of a day of the network, given as an ISO date, as an ISO time. */
export function startOfIsoDay(day: string): string {
  return new Date(parse(day, 'yyyy-MM-dd', new Date(), zone()).getTime()).toISOString()
}

/** A moment of the last days: `Tuesday, 9:14 AM`, or longer ago `Nov 20, 2026, 9:14 AM ET`. */
export function formatRecent(time: string, now = Date.now()): string {
  if (now - Date.parse(time) > 6 * DAY) return formatMinute(time)
  return format(time, 'EEEE, h:mm a', zone())
}

/** The full hour of a day of the network, so many days after today, as an ISO time. */
export function hourOfDay(days: number, hours: number): string {
  const day = addDays(new Date(), days, zone())
  return new Date(set(day, { hours, minutes: 0, seconds: 0, milliseconds: 0 }).getTime()).toISOString()
}

/** The time in a `datetime-local` input, by the clock of the network, as an ISO time; an empty text if it is not whole. */
export function momentOfInput(typed: string): string {
  const time = parse(typed, "yyyy-MM-dd'T'HH:mm", new Date(), zone())
  return Number.isNaN(time.getTime()) ? '' : new Date(time.getTime()).toISOString()
}

/** The reverse: a moment as a `datetime-local` input shows it. */
export const inputOfMoment = (moment: number) => format(moment, "yyyy-MM-dd'T'HH:mm", zone())

/** A day of the network, as an ISO date, in the same words. */
export function formatIsoDay(day: string): string {
  return format(`${day}T00:00:00Z`, 'MMM d, yyyy', { in: tz('UTC') })
}

/** A month, as in `2026-11`, in words: `Nov 2026`. */
export const formatMonth = (month: string) => format(`${month}-01T00:00:00Z`, 'MMM yyyy', { in: tz('UTC') })

/** Formats an ISO time with the time of day: `Nov 20, 2026, 9:41:05 AM ET`. */
export function formatMoment(time: string): string {
  return time ? formatWithZone(time, 'MMM d, yyyy, h:mm:ss a') : '-'
}

/** Formats an ISO time to the minute: `Nov 20, 2026, 9:41 AM ET`. */
export function formatMinute(time: string): string {
  return formatWithZone(time, 'MMM d, yyyy, h:mm a')
}

/** The moment of a deadline: `Mon, Nov 30, 6:00 PM CT`. */
export const formatDeadline = (time: string) => formatWithZone(time, 'EEE, MMM d, h:mm a')

/** A moment of the next hours: `3:04 PM ET`, or on another day `Nov 24, 3:04 AM ET`. */
export function formatSoon(time: string): string {
  return formatWithZone(time, isToday(time, zone()) ? 'h:mm a' : 'MMM d, h:mm a')
}

/** The time of day now in a time zone: `2:53 PM`. */
export function timeIn(name: string, now: number): string {
  return format(now, 'h:mm a', { in: tz(name) })
}

/** Formats the age of an ISO time: `just now`, `5 minutes ago`. */
export function formatSince(time: string, now = Date.now()): string {
  if (now - Date.parse(time) < MINUTE) return 'just now'
  return formatDistanceStrict(new Date(time), now, { addSuffix: true })
}

/** First and last day, as ISO dates. */
export type Days = { from: string; to: string }

/** Returns the last `count` days, up to today. */
export function lastDays(count: number): Days {
  return { from: dayBefore(count - 1), to: dayBefore(0) }
}

export function yesterday(): Days {
  return { from: dayBefore(1), to: dayBefore(1) }
}

function formatWithZone(time: string, pattern: string): string {
  return `${format(time, pattern, zone())} ${tzName(timeZone, new Date(time), 'shortGeneric')}`
}

function dayBefore(days: number): string {
  return format(subDays(new Date(), days, zone()), 'yyyy-MM-dd', zone())
}
