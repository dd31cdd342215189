import type { FunnelStage } from '../../../core/contract/funnel.ts'
import { formatDollars } from '../../lib/numbers.ts'

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

/** Returns the cost of one of `count`, such as `$12.50`; a dash without costs or without any. */
export function costPer(cents: number | null, count: number): string {
  return cents === null || count === 0 ? NONE : formatDollars(cents / count)
}
