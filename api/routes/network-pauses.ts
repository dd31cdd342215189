import { endPause, pauseNetwork } from '../../core/commands/pause-network.ts'
import * as calls from '../../core/contract/network-pauses.ts'
import * as networkPauses from '../../core/stores/network-pauses.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function networkPauseRoutes(handle: Handle, { db }: Services): void {
  handle(calls.listNetworkPauses, async () => ({ pauses: await networkPauses.list(db) }))

  handle(calls.addNetworkPause, ({ body, actor }) => pauseNetwork(db, body, actor))

  handle(calls.endNetworkPause, async ({ params: { id }, actor }) => {
    await endPause(db, id, actor)
    return { success: true }
  })
}
