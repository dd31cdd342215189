import { pauseSending, resumeSending } from '../../core/commands/pause-sending.ts'
import * as calls from '../../core/contract/integrations.ts'
import { createStatus } from '../../core/platform/dependencies.ts'
import * as sendingPauses from '../../core/stores/sending-pauses.ts'
import type { Handle } from '../handle.ts'
import { readIntegrations } from '../integrations.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function integrationRoutes(handle: Handle, services: Services): void {
  const { db, env, relay } = services
  const status = createStatus(db, env)

  handle(calls.getIntegrations, ({ staff }) =>
    readIntegrations({ ...services, status }, { masks: !seesContacts(staff) }),
  )

  handle(calls.listSendingPauses, async () => ({ pauses: await sendingPauses.list(db) }))

  handle(calls.pauseSending, ({ body, actor }) => pauseSending(db, body, actor))

  handle(calls.resumeSending, async ({ params: { integration }, actor }) => {
    await resumeSending(db, integration, actor)
    relay.wake()
    return { success: true }
  })
}
