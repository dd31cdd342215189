import * as calls from '../../core/contract/page-views.ts'
import { periodOf } from '../../core/rules/periods.ts'
import * as pageViews from '../../core/stores/page-views.ts'
import { asksNotToBeMeasured } from '../do-not-measure.ts'
import type { Handle } from '../handle.ts'
import { experimentId } from '../heading-test.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import type { Services } from '../services.ts'

/** Pages tell something when they are left or hidden. An address of a mobile network has many visitors. */
const CALLS_PER_MINUTE = 60
const TOO_MANY = 'Too many page views came from your network.'

export function pageViewRoutes(handle: Handle, { db, env }: Services): void {
  const { NETWORK_TIME_ZONE: timeZone, HOME_HEADING_TEST: heading } = env
  const isOn = env.PAGE_VIEWS === 'on'

  handle(calls.countPageView, rateLimit(CALLS_PER_MINUTE, TOO_MANY), async ({ ctx, body }) => {
    if (!isOn || asksNotToBeMeasured(ctx)) return { counted: false }
    const isOfRunning = heading !== undefined && body.experiment?.id === experimentId(heading)
    await pageViews.add(db, body, { timeZone, ...(isOfRunning && { heading }) })
    return { counted: true }
  })

  handle(calls.getPageViews, ({ query }) =>
    pageViews.read(db, { ...periodOf(query, new Date(), timeZone), timeZone }, { isOn, heading }),
  )
}
