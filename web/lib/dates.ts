import { format, formatDistanceToNowStrict, isToday } from 'date-fns'
import { SECOND } from './time.ts'

const MINUTE = 60 * SECOND

/** The day of an ISO time, in the reader's time zone: `Nov 20, 2026`, or `-` if there is none. */
export function formatDay(time: string | null): string {
  return time ? format(new Date(time), 'MMM d, yyyy') : '-'
}

/** As above, with the time of day: `Nov 20, 2026, 9:41:05 AM`. */
export function formatMoment(time: string): string {
  return format(new Date(time), 'MMM d, yyyy, h:mm:ss a')
}

/** A moment of the next hours: `3:04 PM`, or on another day `Nov 24, 3:04 AM`. */
export function formatSoon(time: string): string {
  const moment = new Date(time)
  return format(moment, isToday(moment) ? 'h:mm a' : 'MMM d, h:mm a')
}

/** How long ago an ISO time was: `just now`, `5 minutes ago`. */
export function formatSince(time: string): string {
  if (Date.now() - Date.parse(time) < MINUTE) return 'just now'
  return formatDistanceToNowStrict(new Date(time), { addSuffix: true })
}
