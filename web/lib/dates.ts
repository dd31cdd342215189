import { tz, tzName } from '@date-fns/tz'
import { format, formatDistanceStrict, isToday, subDays } from 'date-fns'
import { SECOND } from './time.ts'

const MINUTE = 60 * SECOND

/** The network's time zone, in which everybody sees days and times, wherever they are. */
let timeZone = 'America/New_York'

/** Sets the network's time zone. Call it with the server's value before any date is shown. */
export function setTimeZone(zone: string): void {
  timeZone = zone
}

/** Returns the name of the time zone: `Eastern Time`. */
export function timeZoneName(): string {
  return tzName(timeZone, new Date(), 'longGeneric')
}

/** The day of an ISO time: `Nov 20, 2026`, or `-` if there is none. */
export function formatDay(time: string | null): string {
  return time ? format(time, 'MMM d, yyyy', { in: tz(timeZone) }) : '-'
}

/** A day of the network, as an ISO date, in the same words. */
export function formatIsoDay(day: string): string {
  return format(`${day}T00:00:00Z`, 'MMM d, yyyy', { in: tz('UTC') })
}

/** Formats an ISO time with the time of day: `Nov 20, 2026, 9:41:05 AM ET`. */
export function formatMoment(time: string): string {
  return time ? formatWithZone(time, 'MMM d, yyyy, h:mm:ss a') : '-'
}

/** Formats an ISO time to the minute: `Nov 20, 2026, 9:41 AM ET`. */
export function formatMinute(time: string): string {
  return formatWithZone(time, 'MMM d, yyyy, h:mm a')
}

/** A moment of the next hours: `3:04 PM ET`, or on another day `Nov 24, 3:04 AM ET`. */
export function formatSoon(time: string): string {
  return formatWithZone(time, isToday(time, { in: tz(timeZone) }) ? 'h:mm a' : 'MMM d, h:mm a')
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
  return `${format(time, pattern, { in: tz(timeZone) })} ${tzName(timeZone, new Date(time), 'shortGeneric')}`
}

function dayBefore(days: number): string {
  const zone = { in: tz(timeZone) }
  return format(subDays(new Date(), days, zone), 'yyyy-MM-dd', zone)
}
