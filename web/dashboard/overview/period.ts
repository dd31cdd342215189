import { type Days, lastDays } from '../../lib/dates.ts'

/** Lengths that a period up to today can have in the address, in days. */
const LENGTHS = [1, 7, 30, 90]
const USUAL = 30

/** So many days up to today, or from one day to another. */
export type Period = { days: number } | Days

/** What the address says. */
export function readPeriod(query: URLSearchParams): Period {
  const [from, to] = [query.get('from'), query.get('to')]
  if (from && to) return { from, to }
  return { days: LENGTHS.find((days) => String(days) === query.get('days')) ?? USUAL }
}

/** The address with another period. */
export function writePeriod(query: URLSearchParams, period: Period): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const name of ['days', 'from', 'to']) next.delete(name)
  for (const [name, value] of Object.entries(period)) next.set(name, String(value))
  return next
}

/** Its first and its last day. */
export function daysOf(period: Period): Days {
  return 'from' in period ? period : lastDays(period.days)
}
