import { brand } from '../../brand/brand.ts'
import { dialable, folded } from '../../contract/texts.ts'
import { DAY } from '../../contract/time.ts'
import { addressParts } from '../contract/providers.ts'

type Contact = {
  name: string
  practiceName: string | null
  address: string | null
  city: string | null
  state: string | null
  zipCode: string
  phone: string | null
  website: string | null
}

/** The longest line of a vCard in bytes, without its end (RFC 2426, section 2.6). */
const MAX_LINE = 75

/**
 * Returns a provider as a vCard for the address book of a phone, or null without a phone number. Version 3.0 (RFC 2426),
 * because iOS and Android both read it; version 4.0 (RFC 6350) is not read by all. It names the practice and no treatment.
 */
export function contactCard({ name, practiceName, phone, website, ...place }: Contact): string | null {
  const number = phone && (dialable(phone) ?? phone.trim())
  if (!number) return null
  const title = practiceName || name
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    property('FN', title),
    // The structured name is that of a person: without a practice the whole name is given, without its parts.
    `N:;${practiceName ? '' : escaped(name)};;;`,
    property('ORG', title),
    // Apple's address book sorts it as a company.
    'X-ABShowAs:COMPANY',
    property('TEL;TYPE=WORK,VOICE', number),
    `ADR;TYPE=WORK:;;${addressOf(place).map(escaped).join(';')};USA`,
    ...(website ? [property('URL', /^https?:/i.test(website) ? website : `https://${website}`)] : []),
    'END:VCARD',
  ]
  return `${lines.map(inLines).join('\r\n')}\r\n`
}

/** Returns the name of the file: letters and digits of the provider's name. */
export function contactFileName({ name, practiceName }: Pick<Contact, 'name' | 'practiceName'>): string {
  const slug = folded(practiceName || name)
    .replace(/[\p{M}'’]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${slug.slice(0, 60) || 'contact'}.vcf`
}

function addressOf(place: Parameters<typeof addressParts>[0]): string[] {
  const { street, city, state } = addressParts(place)
  return [street, city ?? '', state ?? '', place.zipCode]
}

function property(name: string, value: string): string {
  return `${name}:${escaped(value)}`
}

/** Escapes a text of a vCard or a calendar (RFC 6350 and 5545, section 3.3.11). */
function escaped(text: string): string {
  return text
    .trim()
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\r\n]/g, '\\n')
}

/** Breaks a long line at characters, never within one; a continued line starts with a space. */
function inLines(line: string): string {
  const lines: string[] = []
  let current = ''
  for (const character of line) {
    if (Buffer.byteLength(current + character) > MAX_LINE) {
      lines.push(current)
      current = ' '
    }
    current += character
  }
  return [...lines, current].join('\r\n')
}

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
