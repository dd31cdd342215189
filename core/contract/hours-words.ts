import type { WeekHours } from '../providers/contract/provider-rules.ts'

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
