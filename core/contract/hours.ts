import { TZDate, tz } from '@date-fns/tz'
import { format } from 'date-fns/format'
import type { WeekHours } from '../providers/contract/provider-rules.ts'

/*
 * The hours in which a clinic may call a visitor by hand: those of the place of the visitor, never of the clinic.
 *
 * Federal law: 8 AM to 9 PM at the location of the called party (47 CFR 64.1200(c)(1)). Florida, Maryland, Massachusetts, Oklahoma and
 * others end at 8 PM, so 8 AM to 8 PM, the strictest common window, is used for every state. `STRICTER` has the states whose day is
 * shorter still, as far as two published tables agree: dropcowboy.com/state-compliance (2025-11-01) with
 * g2leadstosales.com (2024-11-08) or blog.clickpointsoftware.com/telemarketing-calling-hours-by-state (July 2025). Read 2026-11-26.
 * Holidays are not known here. Most of these laws except calls with consent; we do not rely on that.
 */

const USUAL = { from: 8, until: 20 }

/** `from` is the first hour. */
const STRICTER: Partial<Record<string, { from?: number; notOnSundays?: true }>> = {
  AL: { notOnSundays: true },
  CT: { from: 9 },
  KY: { from: 10 },
  LA: { notOnSundays: true },
  MI: { from: 9 },
  MS: { notOnSundays: true },
}

/** Where a visitor is called. `name` is the city, or the zip code. `state` has two letters. */
export type CalledPlace = { name: string; state: string | null; timeZone: string }

/** Whether a call is allowed at a moment, and otherwise when the next one is. */
type Calling = {
  isAllowed: boolean
  /** The moment from which a call is allowed, in milliseconds since 1970. */
  from: number
  /** That moment in words: `8 AM in Reno`, or `8 AM on Monday in Mobile` when that is not the next morning. */
  fromInWords: string
  /** `It is 7:10 AM in Reno. Call between 8 AM and 8 PM there.` */
  words: string
}

/** The same for a place that is not known. */
export const CALLING_WORDS = 'Call between 8 AM and 8 PM, by the time where they are.'

const SUNDAY = 0

/** Returns whether a person may be called at a moment, in milliseconds since 1970. */
export function callingAt({ name, state, timeZone }: CalledPlace, now: number): Calling {
  const { from = USUAL.from, notOnSundays = false } = STRICTER[state ?? ''] ?? {}
  const local = new TZDate(now, timeZone)
  const isBarred = (day: number) => notOnSundays && day === SUNDAY
  const hour = local.getHours()
  const isAllowed = !isBarred(local.getDay()) && hour >= from && hour < USUAL.until
  const next = new TZDate(local.getFullYear(), local.getMonth(), local.getDate(), from, timeZone)
  if (next.getTime() <= now) next.setDate(next.getDate() + 1)
  const isPutOff = isBarred(next.getDay())
  if (isPutOff) next.setDate(next.getDate() + 1)

  const hours = `Call between ${hourInWords(from)} and ${hourInWords(USUAL.until)} there`
  const time = format(now, 'h:mm a', { in: tz(timeZone) })
  return {
    isAllowed,
    from: isAllowed ? now : next.getTime(),
    fromInWords: `${hourInWords(from)}${isPutOff ? ' on Monday' : ''} in ${name}`,
    words: isBarred(local.getDay())
      ? `It is Sunday, ${time} in ${name}. ${hours}, and not on Sundays.`
      : `It is ${time} in ${name}. ${hours}${notOnSundays ? ', and not on Sundays' : ''}.`,
  }
}

const hourInWords = (hour: number) => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`

type Weekday = keyof WeekHours
const WEEKDAYS: Weekday[] = ['1', '2', '3', '4', '5', '6', '7']
const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const nameOf = (day: Weekday) => NAMES[Number(day) - 1] ?? ''

/** Returns weekly hours in words: `Mon–Thu 9–5, Fri 9–12, closed Sat–Sun`. Null are the usual hours. */
export function hoursInWords(hours: WeekHours | null): string {
  if (hours === null) return 'the usual hours'
  const daysOf = new Map<string, Weekday[]>()
  for (const day of WEEKDAYS) {
    const words = (hours[day] ?? []).map(spanInWords).join(' and ')
    daysOf.set(words, [...(daysOf.get(words) ?? []), day])
  }
  const closed = daysOf.get('')
  daysOf.delete('')
  const open = [...daysOf].map(([words, days]) => `${shortDays(days)} ${words}`)
  return [...open, ...(closed ? [`closed ${shortDays(closed)}`] : [])].join(', ')
}

/** Returns the closed days in words, as in `Tuesday to Sunday`; an empty text if there are none. */
export function closedDaysInWords(hours: WeekHours): string {
  const runs = runsOf(WEEKDAYS.filter((day) => !isOpen(hours, day))).flatMap(([first, last, length]) => {
    if (length > 2) return `${nameOf(first)} to ${nameOf(last)}`
    return length === 2 ? [nameOf(first), nameOf(last)] : nameOf(first)
  })
  return runs.length > 1 ? `${runs.slice(0, -1).join(', ')} and ${runs.at(-1)}` : (runs[0] ?? '')
}

/** Returns whether new hours close a day on which a clinic is open now. */
export function closesDays(from: WeekHours, to: WeekHours): boolean {
  return WEEKDAYS.some((day) => isOpen(from, day) && !isOpen(to, day))
}

const isOpen = (hours: WeekHours, day: Weekday) => (hours[day] ?? []).length > 0

/** Returns the runs of consecutive days: the first, the last, and how many. */
function runsOf(days: Weekday[]): [first: Weekday, last: Weekday, length: number][] {
  const runs: [Weekday, Weekday, number][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run && Number(run[1]) + 1 === Number(day)) runs.splice(-1, 1, [run[0], day, run[2] + 1])
    else runs.push([day, day, 1])
  }
  return runs
}

function shortDays(days: Weekday[]): string {
  const short = (day: Weekday) => nameOf(day).slice(0, 3)
  return runsOf(days)
    .map(([first, last]) => (first === last ? short(first) : `${short(first)}–${short(last)}`))
    .join(', ')
}

/** Leaves out AM and PM where the hours are from a morning to an afternoon. */
function spanInWords([from, until]: [from: string, until: string]): string {
  if (from === '00:00' && until === '24:00') return 'all day'
  const isUsual = from >= '05:00' && from < '12:00' && until >= '12:00' && until < '20:00'
  return isUsual ? `${clock(from)}–${clock(until)}` : `${clock(from)} ${half(from)}–${clock(until)} ${half(until)}`
}

function clock(time: string): string {
  const [hours = '0', minutes = '00'] = time.split(':')
  return `${Number(hours) % 12 || 12}${minutes === '00' ? '' : `:${minutes}`}`
}

const half = (time: string) => (time >= '12:00' && time < '24:00' ? 'PM' : 'AM')
