import { parseAsNumberLiteral, parseAsString, useQueryStates } from 'nuqs'
import { type Days, lastDays } from '../../lib/dates.ts'

/** Lengths that a period up to today can have in the address, in days. */
const LENGTHS = [1, 7, 30, 90] as const
const USUAL = 30

/** So many days up to today, or from one day to another. */
export type Period = { days: number } | Days

const address = { days: parseAsNumberLiteral(LENGTHS), from: parseAsString, to: parseAsString }
const NONE = { days: null, from: null, to: null }

/** The period that is shown. It is in the address. */
export function usePeriod() {
  const [values, setValues] = useQueryStates(address, { history: 'replace' })
  const choose = (next: (now: Period) => Period) =>
    void setValues((now) => ({ ...NONE, ...(next(periodOf(now)) as Partial<typeof now>) }))
  return { period: periodOf(values), choose }
}

function periodOf({ days, from, to }: { days: number | null; from: string | null; to: string | null }): Period {
  return from && to ? { from, to } : { days: days ?? USUAL }
}

/** Its first and its last day. */
export function daysOf(period: Period): Days {
  return 'from' in period ? period : lastDays(period.days)
}
