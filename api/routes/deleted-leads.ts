import type Router from '@koa/router'
import * as leadActions from '../../core/commands/lead-actions.ts'
import { type DeletedLeads, DeletedLeadsQuery } from '../../core/contract/deleted-leads.ts'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import { RowParams } from '../../core/contract/rows.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { maskPerson } from '../../core/rules/masking.ts'
import * as deletedLeads from '../../core/stores/deleted-leads.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, seesContacts, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function deletedLeadRoutes(router: Router, services: Services): void {
  const { db, env, readings, relay } = services
  const staff = [sameOrigin(env), staffOnly(services)] as const
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  router.get('/api/deleted-leads', staffOnly(services), async (ctx) => {
    const query = parse(DeletedLeadsQuery, ctx.query)
    const list: DeletedLeads = await deletedLeads.list(db, query, env.DELETED_LEAD_DAYS)
    await readings.note(ctx, { entity: 'lead', ids: list.leads.map(({ id }) => id) })
    ctx.body = seesContacts(ctx) ? list : { ...list, leads: list.leads.map(maskPerson) }
  })

  router.delete('/api/deleted-leads/:id', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await leadActions.purge(db, id, { ...actorOf(ctx), personKey })
    relay.wake()
    ctx.body = { success: true } satisfies ActionAnswer
  })

  router.post('/api/leads/:id/restore', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await leadActions.restore(db, id, actorOf(ctx))
    relay.wake()
    ctx.body = { success: true } satisfies ActionAnswer
  })
}
