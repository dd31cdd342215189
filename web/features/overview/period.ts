const DAY = 24 * 60 * 60 * 1000

/** The choices of a period that ends today, in days. */
export const PRESETS = [7, 30, 90] as const
const USUAL = 30

/** So many days up to today, or from one day to another, as ISO dates in UTC. */
export type Period = { days: number } | { from: string; to: string }

/** What the address says. */
export function readPeriod(query: URLSearchParams): Period {
  const [from, to] = [query.get('from'), query.get('to')]
  if (from && to) return { from, to }
  return { days: PRESETS.find((days) => String(days) === query.get('days')) ?? USUAL }
}

/** The address with another period. */
export function writePeriod(query: URLSearchParams, period: Period): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const name of ['days', 'from', 'to']) next.delete(name)
  for (const [name, value] of Object.entries(period)) next.set(name, String(value))
  return next
}

/** Its first and its last day. */
export function daysOf(period: Period, now: Date): { from: string; to: string } {
  if ('from' in period) return period
  const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10)
  return { from: isoDay(now.getTime() - (period.days - 1) * DAY), to: isoDay(now.getTime()) }
}
