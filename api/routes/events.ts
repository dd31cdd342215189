import * as calls from '../../core/contract/events.ts'
import type { Handle } from '../handle.ts'
import { isStaff } from '../middleware/session.ts'
import { addressKey } from '../networks.ts'
import type { Services } from '../services.ts'

export function eventRoutes(handle: Handle, services: Services): void {
  handle(calls.streamEvents, ({ ctx, staff: { id, sessionId } }) => {
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
