import type Router from '@koa/router'
import { isStaff, signedIn, staffOnly } from '../middleware/session.ts'
import { addressKey } from '../networks.ts'
import type { Services } from '../services.ts'

export function eventRoutes(router: Router, services: Services): void {
  router.get('/api/events', staffOnly(services), (ctx) => {
    const { id, sessionId } = signedIn(ctx)
    const address = addressKey(ctx.ip)
    // Those of the shared password have no account: they are told apart by their address.
    const watcher = { session: String(sessionId ?? 'open'), owner: id === null ? `at ${address}` : String(id), address }
    const stream = services.events.open(watcher, () => isStaff(ctx, services))

    // An event that waits in a compressor or a proxy comes too late; and when the stream ends, so does the connection.
    ctx.compress = false
    ctx.set({ 'X-Accel-Buffering': 'no', Connection: 'close' })
    ctx.type = 'text/event-stream'
    ctx.body = stream
  })
}
