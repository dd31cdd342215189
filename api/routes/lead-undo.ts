import type Router from '@koa/router'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import { RowParams } from '../../core/contract/rows.ts'
import * as leadActions from '../../core/stores/lead-actions.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function leadUndoRoutes(router: Router, services: Services): void {
  const { db, env, relay } = services

  router.post('/api/leads/:id/restore', sameOrigin(env), staffOnly(services), async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await leadActions.restore(db, id, actorOf(ctx))
    relay.wake()
    ctx.body = { success: true } satisfies ActionAnswer
  })
}
