import { tz } from '@date-fns/tz'
import { format } from 'date-fns'
import { dayOf } from '../../dates.ts'
import { addDays, type Period } from './periods.ts'

/** The hour of the day from which a report is sent, in the network's time zone. */
const REPORT_HOUR = 8

/**
 * Returns the week whose report is due: the last whole week, Monday to Sunday. Its report is due from the following Monday,
 * 08:00, to the end of the following Sunday, and is not sent later. Returns null before 08:00 on a Monday.
 */
export function dueWeek(now: Date, timeZone: string): Period | null {
  const today = dayOf(now, timeZone)
  const weekday = Number(format(now, 'i', { in: tz(timeZone) }))
  if (weekday === 1 && hourOf(now, timeZone) < REPORT_HOUR) return null
  return { from: addDays(today, -weekday - 6), to: addDays(today, -weekday) }
}

const hourOf = (now: Date, timeZone: string) => Number(format(now, 'H', { in: tz(timeZone) }))
