import type { CapPeriod, Obstacle } from '../../core/providers/contract/provider-rules.ts'
import { formatShortDay } from '../lib/dates.ts'
import { milesInWords } from '../lib/distance.ts'

const PERIODS: Record<CapPeriod, { now: string; past: string }> = {
  day: { now: 'today', past: 'that day' },
  week: { now: 'this week', past: 'that week' },
  month: { now: 'this month', past: 'that month' },
}

/** Returns why a clinic takes no lead now: `paused until Dec 1`, `10 of 10 today`. */
export function obstacleWords(obstacle: Obstacle): string {
  switch (obstacle.reason) {
    case 'paused':
      return obstacle.until ? `paused until ${formatShortDay(obstacle.until)}` : 'paused'
    case 'full':
      return `${obstacle.used} of ${obstacle.cap} ${PERIODS[obstacle.period].now}`
    case 'too_far':
      return `takes leads within ${milesInWords(obstacle.radiusMiles)}`
    case 'excluded':
      return 'excludes this zip code'
  }
}

/** Returns why a clinic did not take a lead, as the end of a sentence: `was full: 10 of 10 that day`. */
export function pastObstacleWords(obstacle: Obstacle, { isToday }: { isToday: boolean }): string {
  switch (obstacle.reason) {
    case 'paused':
      return `was ${obstacleWords(obstacle)}`
    case 'full':
      return `was full: ${obstacle.used} of ${obstacle.cap} ${PERIODS[obstacle.period][isToday ? 'now' : 'past']}`
    case 'too_far':
      return `takes leads within ${milesInWords(obstacle.radiusMiles)} only`
    case 'excluded':
      return 'excludes the zip code'
  }
}
