import { REVIEW_PROMISE, type ReviewClock, reviewClock } from '../../../core/contract/application-details.ts'
import type { Application } from '../../../core/contract/applications.ts'
import { formatDuration } from '../../lib/numbers.ts'
import { MINUTE } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const TONES: Record<ReviewClock['state'], Tone> = {
  open: 'neutral',
  due: 'wait',
  late: 'bad',
  kept: 'good',
  kept_late: 'bad',
}

/** Returns, for example, `Overdue by 5 h`. */
function words({ state, ms }: ReviewClock): string {
  switch (state) {
    case 'open':
      return `Review in ${formatDuration(REVIEW_PROMISE.from - ms)}`
    case 'due':
      return `Review due, ${formatDuration(REVIEW_PROMISE.until - ms)} left`
    case 'late':
      return `Overdue by ${formatDuration(ms - REVIEW_PROMISE.until)}`
    case 'kept':
      return ms < MINUTE ? 'Reviewed within a minute' : `Reviewed after ${formatDuration(ms)}`
    case 'kept_late':
      return `Reviewed late, after ${formatDuration(ms)}`
  }
}

/** Shows the clock of the review within 24 to 48 hours that the applicant was promised. Nothing while the application is held. */
export function ReviewClockBadge({ application }: { application: Application }) {
  const clock = reviewClock(application, useNow())
  if (!clock) return null
  return <Badge tone={TONES[clock.state]}>{words(clock)}</Badge>
}
