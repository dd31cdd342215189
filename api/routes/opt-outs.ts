import type Router from '@koa/router'
import * as optOuts from '../../core/commands/opt-outs.ts'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import {
  type LeadOptOut,
  LiftOptOut,
  type OptOutAnswer,
  type OptOuts,
  StopByHand,
} from '../../core/contract/opt-outs.ts'
import { RowParams } from '../../core/contract/rows.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import * as clinicOptOuts from '../../core/stores/clinic-opt-outs.ts'
import * as suppressions from '../../core/stores/suppressions.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

const SUCCESS: ActionAnswer = { success: true }

/** What staff do for people who must not be contacted. */
export function optOutRoutes(router: Router, services: Services): void {
  const { db, env, relay } = services
  const staff = [sameOrigin(env), staffOnly(services)] as const
  const key = deriveKey(env.DATA_KEY, 'person-hash')
  const context = { key, timeZone: env.NETWORK_TIME_ZONE }

  router.get('/api/opt-outs', staffOnly(services), async (ctx) => {
    const [overdue, recent] = await Promise.all([clinicOptOuts.listOverdue(db), suppressions.listRecent(db)])
    ctx.body = { overdue, recent } satisfies OptOuts
  })

  router.post('/api/opt-outs', ...staff, async (ctx) => {
    const contact = parse(StopByHand, ctx.request.body)

    const leads = await optOuts.byHand(db, contact, actorOf(ctx), context)
    relay.wake()
    ctx.body = { success: true, leads } satisfies OptOutAnswer
  })

  router.get('/api/leads/:id/opt-out', staffOnly(services), async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    ctx.body = (await optOuts.findOfLead(db, id, key)) satisfies LeadOptOut
  })

  router.post('/api/leads/:id/opt-out', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await optOuts.ofLead(db, id, actorOf(ctx), context)
    relay.wake()
    ctx.body = SUCCESS
  })

  router.post('/api/leads/:id/lift-opt-out', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const { because } = parse(LiftOptOut, ctx.request.body)

    await optOuts.liftOfLead(db, id, { ...actorOf(ctx), because }, key)
    ctx.body = SUCCESS
  })

  router.post('/api/opt-outs/:id/confirm', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await clinicOptOuts.confirm(db, id, actorOf(ctx))
    ctx.body = SUCCESS
  })

  router.post('/api/suppressions/:id/lift', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const { because } = parse(LiftOptOut, ctx.request.body)

    await optOuts.liftOne(db, id, { ...actorOf(ctx), because })
    ctx.body = SUCCESS
  })
}
