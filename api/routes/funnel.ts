import * as calls from '../../core/contract/funnel.ts'
import { periodOf } from '../../core/rules/periods.ts'
import * as funnel from '../../core/stores/funnel.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function funnelRoutes(handle: Handle, { db, env }: Services): void {
  const timeZone = env.NETWORK_TIME_ZONE

  handle(calls.getFunnel, ({ query }) => funnel.read(db, { ...periodOf(query, new Date(), timeZone), timeZone }))
}
