import type { FunnelStage } from '../../../core/insight/contract/overview.ts'

const inUtc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const short = inUtc({ month: 'short', day: 'numeric' })
const long = inUtc({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })

/** Formats an ISO date as `Nov 21`. */
export function formatDate(day: string): string {
  return short.format(new Date(day))
}

/** Formats an ISO date as `Sat, Nov 21, 2026`. */
export function formatLongDate(day: string): string {
  return long.format(new Date(day))
}

/** The results of a lead, from the bottom of a bar to its top. Each has a pattern as well as a color. */
export const KINDS = [
  { id: 'matched', name: 'Matched', color: 'var(--color-secondary)', pattern: 'plain' },
  { id: 'unmatched', name: 'Unmatched', color: 'var(--color-wait-bright)', pattern: 'striped' },
  { id: 'held', name: 'Held', color: 'var(--color-edge)', pattern: 'dotted' },
] as const

export const STAGE_WORDS: Record<FunnelStage, string> = {
  received: 'Received',
  delivered: 'Delivered',
  opened: 'Opened',
  reached: 'Reached',
  booked: 'Booked',
  attended: 'Attended',
}

/** The two periods of a chart. Each has a pattern as well as a color. */
export const PERIODS = [
  { id: 'now', name: 'This period', color: 'var(--color-secondary)', pattern: 'plain' },
  { id: 'before', name: 'The period before', color: 'var(--color-edge)', pattern: 'striped' },
] as const

export const NONE = '–'
