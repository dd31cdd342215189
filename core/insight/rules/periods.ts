import { dayOf } from '../../dates.ts'
import { AppError } from '../../errors.ts'
import { DAY } from '../../time.ts'
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
  if (days < 1) throw invalid('The last day must not be before the first.')
  if (days > MAX_PERIOD_DAYS) throw invalid(`A period has ${MAX_PERIOD_DAYS} days at most.`)
  return { from: first, to: last }
}

/** Returns the period of the same length that ends the day before this one. */
export function periodBefore({ from, to }: Period): Period {
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1
  return { from: addDays(from, -days), to: addDays(from, -1) }
}

/** Returns the day that is some days after an ISO date, or before it. */
export const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
const invalid = (message: string) => new AppError('invalid', message, { fields: { to: message } })
