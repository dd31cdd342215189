import type Router from '@koa/router'
import { isStaff, signedIn, staffOnly } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function eventRoutes(router: Router, services: Services): void {
  router.get('/api/events', staffOnly(services), (ctx) => {
    const stream = services.events.open(String(signedIn(ctx).sessionId ?? 'open'), () => isStaff(ctx, services))

    // An event that waits in a compressor or a proxy comes too late; and when the stream ends, so does the connection.
    ctx.compress = false
    ctx.set({ 'X-Accel-Buffering': 'no', Connection: 'close' })
    ctx.type = 'text/event-stream'
    ctx.body = stream
  })
}
