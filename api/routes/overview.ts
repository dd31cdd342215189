import * as funnelCalls from '../../core/insight/contract/overview.ts'
import { periodOf } from '../../core/insight/rules/overview.ts'
import * as funnel from '../../core/insight/stores/funnel.ts'
import * as overview from '../../core/insight/stores/overview.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function overviewRoutes(handle: Handle, { db, env }: Services): void {
  const timeZone = env.NETWORK_TIME_ZONE

  handle(funnelCalls.getOverview, ({ query }) =>
    overview.read(db, { ...periodOf(query, new Date(), timeZone), timeZone }),
  )
}

export function funnelRoutes(handle: Handle, { db, env }: Services): void {
  const timeZone = env.NETWORK_TIME_ZONE

  handle(funnelCalls.getFunnel, ({ query }) => funnel.read(db, { ...periodOf(query, new Date(), timeZone), timeZone }))
}
