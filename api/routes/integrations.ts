import type Router from '@koa/router'
import * as calls from '../../core/conditions/contract/integrations.ts'
import { endPause, pauseNetwork, pauseSending, resumeSending } from '../../core/deliveries/pause-sending.ts'
import * as sendingPauses from '../../core/deliveries/stores/sending-pauses.ts'
import { createStatus } from '../../core/platform/dependencies.ts'
import * as networkPausesCalls from '../../core/providers/contract/provider-rules.ts'
import * as providerRules from '../../core/providers/stores/provider-rules.ts'
import type { Handle } from '../handle.ts'
import { readIntegrations } from '../integrations.ts'
import { seesContacts } from '../middleware/session.ts'
import { createReadiness } from '../readiness.ts'
import type { Services } from '../services.ts'

export function integrationRoutes(handle: Handle, services: Services): void {
  const { db, env } = services
  const status = createStatus(db, env)

  handle(calls.getIntegrations, ({ staff }) =>
    readIntegrations({ ...services, status }, { masks: !seesContacts(staff) }),
  )

  handle(calls.listSendingPauses, async () => ({ pauses: await sendingPauses.list(db) }))

  handle(calls.pauseSending, ({ body, actor }) => pauseSending(db, body, actor))

  handle(calls.resumeSending, async ({ params: { integration }, actor }) => {
    await resumeSending(db, integration, actor)
    return { success: true }
  })
}

export function networkPauseRoutes(handle: Handle, { db }: Services): void {
  handle(networkPausesCalls.listNetworkPauses, async () => ({ pauses: await providerRules.list(db) }))

  handle(networkPausesCalls.addNetworkPause, ({ body, actor }) => pauseNetwork(db, body, actor))

  handle(networkPausesCalls.endNetworkPause, async ({ params: { id }, actor }) => {
    await endPause(db, id, actor)
    return { success: true }
  })
}

export function healthRoutes(router: Router, { db }: Services): void {
  /** Answers while the process is alive. */
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })

  /** Answers 200 if the database is reachable and has all migrations. `METRICS_PORT` gives the reason otherwise. */
  const readiness = createReadiness(db)
  router.get('/readyz', async (ctx) => {
    const { status } = await readiness()
    ctx.status = status === 'ready' ? 200 : 503
    ctx.body = { status }
  })
}
