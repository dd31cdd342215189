import { tz } from '@date-fns/tz'
import { format } from 'date-fns/format'
import { DAY } from '../../contract/time.ts'
import { dayOf } from '../../dates.ts'
import { invalidField } from '../../errors.ts'
import { MAX_PERIOD_DAYS, type OverviewQuery } from '../contract/overview.ts'

/** First and last day, as ISO dates. */
export type Period = { from: string; to: string }

const USUAL_DAYS = 30

/**
 * Returns the requested period: 30 days where one end is missing, and the 30 days up to today in this time zone where
 * both are.
 * @throws AppError `invalid` when it ends before it begins, or is too long
 */
export function periodOf({ from, to }: OverviewQuery, now: Date, timeZone: string): Period {
  const last = to ?? (from ? addDays(from, USUAL_DAYS - 1) : dayOf(now, timeZone))
  const first = from ?? addDays(last, 1 - USUAL_DAYS)
  const days = (Date.parse(last) - Date.parse(first)) / DAY + 1
  if (days < 1) throw invalidField('to', 'The last day must not be before the first.')
  if (days > MAX_PERIOD_DAYS) throw invalidField('to', `A period has ${MAX_PERIOD_DAYS} days at most.`)
  return { from: first, to: last }
}

/** Returns the period of the same length that ends the day before this one. */
export function periodBefore(period: Period): Period {
  return { from: addDays(period.from, -daysOf(period).length), to: addDays(period.from, -1) }
}

export const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

export const daysOf = ({ from, to }: Period): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / DAY + 1 }, (_, index) => addDays(from, index))

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
