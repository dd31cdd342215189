import { tz } from '@date-fns/tz'
import { format } from 'date-fns/format'

/** Formats the day of a moment in a time zone: `2026-11-22`. */
export function dayOf(moment: Date | string, timeZone: string): string {
  return format(moment, 'yyyy-MM-dd', { in: tz(timeZone) })
}

const TIME = {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  hourCycle: 'h12',
  timeZoneName: 'shortGeneric',
} as const

/** Formats a moment for people in a time zone: `Nov 22, 2026, 9:05 AM ET`. */
export const formatMoment = formatter({ ...TIME, year: 'numeric' })

/** Formats a moment of these days for people in a time zone: `Sun, Nov 22, 9:05 AM ET`. */
export const formatDayAndTime = formatter({ ...TIME, weekday: 'short' })

/** Formats an ISO date of these days for people, with the time zone UTC: `Sun, Nov 22`. */
export const formatWeekday = formatter({ weekday: 'short', month: 'short', day: 'numeric' })

function formatter(options: Intl.DateTimeFormatOptions): (moment: string, timeZone: string) => string {
  // By time zone. Making a format takes 30 times as long as using it.
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (moment, timeZone) => {
    let format = formats.get(timeZone)
    if (!format) {
      format = new Intl.DateTimeFormat('en-US', { ...options, timeZone })
      formats.set(timeZone, format)
    }
    // Some versions of the language data have a narrow space before AM and PM.
    return format.format(new Date(moment)).replace(/\s/g, ' ')
  }
}
