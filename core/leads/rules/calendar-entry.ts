import { brand } from '../../brand/brand.ts'
import { escaped, inLines } from '../../providers/rules/contact-card.ts'
import { DAY } from '../../time.ts'

type Person = { id: number; first_name: string; last_name: string }

/** What no line of a calendar may contain, and what would reverse the words beside it. */
const MARKS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/**
 * Returns an appointment as a calendar file (RFC 5545): an event of the whole day, because the hour is not known. Calendars are
 * shared, so it names no treatment, and of the person the first name and an initial. The same request always has the same
 * `UID`, so that a new day replaces the old one. `day` is an ISO date, `at` the time of the booking (ISO 8601).
 */
export function calendarEntry({ id, first_name, last_name }: Person, day: string, at: string, host: string): string {
  const [initial = ''] = last_name.replace(MARKS, '').trim()
  const name = `${first_name.replace(MARKS, ' ')} ${initial && `${initial}.`}`.trim()
  const digits = (time: number) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(brand.company)}//Requests//EN`,
    'BEGIN:VEVENT',
    `UID:request-${id}@${host}`,
    `DTSTAMP:${digits(Date.parse(at))}`,
    `DTSTART;VALUE=DATE:${digits(Date.parse(day)).slice(0, 8)}`,
    `DTEND;VALUE=DATE:${digits(Date.parse(day) + DAY).slice(0, 8)}`,
    `SUMMARY:${escaped(`Appointment: ${name} (request no. ${id})`)}`,
    'CLASS:PRIVATE',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(inLines).join('\r\n')}\r\n`
}
