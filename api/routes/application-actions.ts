import type Router from '@koa/router'
import * as applicationActions from '../../core/commands/application-actions.ts'
import { ApplicationUpdate } from '../../core/contract/applications.ts'
import { type ActionAnswer, RetryQuery } from '../../core/contract/jobs.ts'
import { RowParams } from '../../core/contract/rows.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, staffOnly } from '../middleware/session.ts'
import { retryAnswer } from '../outcomes.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

const SUCCESS: ActionAnswer = { success: true }

export function applicationActionRoutes(router: Router, services: Services): void {
  const { db, env, relay } = services
  const staff = [sameOrigin(env), staffOnly(services)] as const
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  router.patch('/api/provider-applications/:id', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const { status } = parse(ApplicationUpdate, ctx.request.body)

    ctx.body = await applicationActions.setStatus(db, id, status, actorOf(ctx))
  })

  router.post('/api/provider-applications/:id/retry-email', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const { wait } = parse(RetryQuery, ctx.query)

    const jobs = await applicationActions.resendEmail(db, id, actorOf(ctx))
    relay.wake()
    ctx.body = await retryAnswer(services, jobs, wait)
  })

  router.post('/api/provider-applications/:id/release', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await applicationActions.release(db, id, { ...actorOf(ctx), liftKey: personKey })
    relay.wake()
    ctx.body = SUCCESS
  })

  router.delete('/api/provider-applications/:id', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await applicationActions.remove(db, id, { ...actorOf(ctx), personKey })
    ctx.body = SUCCESS
  })
}
