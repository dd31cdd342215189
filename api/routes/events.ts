import * as calls from '../../core/contract/events.ts'
import type { Handle } from '../handle.ts'
import { isStaff } from '../middleware/session.ts'
import { addressKey } from '../networks.ts'
import type { Services } from '../services.ts'

export function eventRoutes(handle: Handle, services: Services): void {
  handle(calls.streamEvents, ({ ctx, staff: { id, sessionId } }) => {
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
}
