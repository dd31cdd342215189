const inUtc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const short = inUtc({ month: 'short', day: 'numeric' })
const long = inUtc({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })

/** An ISO date as `Nov 21`. */
export function formatDate(day: string): string {
  return short.format(new Date(day))
}

/** As `Sat, Nov 21, 2026`. */
export function formatLongDate(day: string): string {
  return long.format(new Date(day))
}
