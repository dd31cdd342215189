import * as eventsCalls from '../../core/contract/events.ts'
import { announce } from '../../core/deliveries/stores/changes.ts'
import { getOverview } from '../../core/insight/contract/overview.ts'
import { periodOf } from '../../core/insight/rules/overview.ts'
import * as overview from '../../core/insight/stores/overview.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import type { Handle } from '../handle.ts'
import { addressKey } from '../middleware/proxy.ts'
import { isStaff } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function overviewRoutes(handle: Handle, { db, env }: Services): void {
  const timeZone = env.NETWORK_TIME_ZONE

  handle(getOverview, ({ query }) => overview.read(db, { ...periodOf(query, new Date(), timeZone), timeZone }))
}

export function eventRoutes(handle: Handle, services: Services): void {
  handle(eventsCalls.streamEvents, ({ ctx, staff: { id, sessionId } }) => {
    const address = addressKey(ctx.ip)
    // Sessions of the shared password have no account, so their address stands for the owner.
    const watcher = { session: String(sessionId ?? 'open'), owner: id === null ? `at ${address}` : String(id), address }
    const stream = services.events.open(watcher, () => isStaff(ctx, services))

    // Compressors and proxies must not buffer events. The connection ends with the stream.
    ctx.compress = false
    ctx.set({ 'X-Accel-Buffering': 'no', Connection: 'close' })
    ctx.type = 'text/event-stream'
    ctx.body = stream
  })

  handle(eventsCalls.viewLead, async ({ params: { id: lead }, body: { left }, staff: { id: account } }) => {
    if (!(await leads.find(services.db, lead))) throw leads.noSuchLead()
    // The shared password has no name to show.
    if (account !== null) await announce(services.db, { viewing: [{ lead, account, left }] })
  })
}
