import { tz, tzName } from '@date-fns/tz'
import { format } from 'date-fns'

/** Formats the day of a moment in a time zone: `2026-11-22`. */
export function dayOf(moment: Date | string, timeZone: string): string {
  return format(moment, 'yyyy-MM-dd', { in: tz(timeZone) })
}

/** Formats a moment for people in a time zone: `Nov 22, 2026, 9:05 AM ET`. */
export function formatMoment(moment: string, timeZone: string): string {
  const local = format(moment, 'MMM d, yyyy, h:mm a', { in: tz(timeZone) })
  return `${local} ${tzName(timeZone, new Date(moment), 'shortGeneric')}`
}

/** Formats a moment for tables and logs, local with its offset: `2026-11-22 09:05:12-05:00`. */
export function formatOffsetTime(moment: string, timeZone: string): string {
  return format(moment, 'yyyy-MM-dd HH:mm:ssxxx', { in: tz(timeZone) })
}
