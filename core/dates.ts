import { tz } from '@date-fns/tz'
import { format } from 'date-fns'

/** Formats the day of a moment in a time zone: `2026-11-22`. */
export function dayOf(moment: Date | string, timeZone: string): string {
  return format(moment, 'yyyy-MM-dd', { in: tz(timeZone) })
}

/** The formats of `formatMoment` by time zone. Making one takes 30 times as long as using it. */
const momentFormats = new Map<string, Intl.DateTimeFormat>()

/** Formats a moment for people in a time zone: `Nov 22, 2026, 9:05 AM ET`. */
export function formatMoment(moment: string, timeZone: string): string {
  let momentFormat = momentFormats.get(timeZone)
  if (!momentFormat) {
    momentFormat = new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      hourCycle: 'h12',
      timeZoneName: 'shortGeneric',
    })
    momentFormats.set(timeZone, momentFormat)
  }
  // Some versions of the language data have a narrow space before AM and PM.
  return momentFormat.format(new Date(moment)).replace(/\s/g, ' ')
}

/** Formats a moment for tables and logs, local with its offset: `2026-11-22 09:05:12-05:00`. */
export function formatOffsetTime(moment: string, timeZone: string): string {
  return format(moment, 'yyyy-MM-dd HH:mm:ssxxx', { in: tz(timeZone) })
}
