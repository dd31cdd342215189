import type { FunnelStage } from '../../../core/contract/funnel.ts'

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
