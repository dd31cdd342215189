import { tz, tzName } from '@date-fns/tz'
import { format } from 'date-fns'

/** The day that a moment is on in a time zone: `2026-11-22`. */
export function dayOf(moment: Date | string, timeZone: string): string {
  return format(moment, 'yyyy-MM-dd', { in: tz(timeZone) })
}

/** A moment as people of a time zone read it: `Nov 22, 2026, 9:05 AM ET`. */
export function formatMoment(moment: string, timeZone: string): string {
  const local = format(moment, 'MMM d, yyyy, h:mm a', { in: tz(timeZone) })
  return `${local} ${tzName(timeZone, new Date(moment), 'shortGeneric')}`
}

/** A moment for tables and logs, local with its offset: `2026-11-22 09:05:12-05:00`. */
export function formatOffsetTime(moment: string, timeZone: string): string {
  return format(moment, 'yyyy-MM-dd HH:mm:ssxxx', { in: tz(timeZone) })
}
