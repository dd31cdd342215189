import type Router from '@koa/router'
import * as leadActions from '../../core/commands/lead-actions.ts'
import { type ActionAnswer, RetryQuery } from '../../core/contract/jobs.ts'
import { AssignProvider, CandidatesQuery, type MatchCandidates } from '../../core/contract/leads.ts'
import { RowParams } from '../../core/contract/rows.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import * as leadLists from '../../core/stores/lead-lists.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providers from '../../core/stores/providers.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, staffOnly } from '../middleware/session.ts'
import { retryAnswer } from '../outcomes.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

const SUCCESS: ActionAnswer = { success: true }

export function leadActionRoutes(router: Router, services: Services): void {
  const { db, env, readings, relay } = services
  const staff = [sameOrigin(env), staffOnly(services)] as const
  const liftKey = deriveKey(env.DATA_KEY, 'person-hash')

  router.post('/api/leads/:id/retry-sync', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const { wait } = parse(RetryQuery, ctx.query)
    if (env.CRM_KIND === 'none') throw new AppError('conflict', 'No CRM is connected. Set CRM_KIND to connect one.')

    const jobs = await leadActions.retryCrm(db, id, actorOf(ctx))
    relay.wake()
    ctx.body = await retryAnswer(services, jobs, wait)
  })

  router.post('/api/leads/:id/retry-email', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const { wait } = parse(RetryQuery, ctx.query)

    const jobs = await leadActions.resendEmail(db, id, actorOf(ctx))
    relay.wake()
    ctx.body = await retryAnswer(services, jobs, wait)
  })

  router.post('/api/leads/:id/release', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await leadActions.release(db, id, { ...actorOf(ctx), radiusMiles: env.MATCH_RADIUS_MILES, liftKey })
    relay.wake()
    ctx.body = SUCCESS
  })

  router.patch('/api/leads/:id/provider', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const { providerId } = parse(AssignProvider, ctx.request.body)

    ctx.body = await leadActions.assignProvider(db, id, providerId, actorOf(ctx))
    relay.wake()
  })

  router.post('/api/leads/:id/undo-match', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await leadActions.undoMatch(db, id, actorOf(ctx))
    relay.wake()
    ctx.body = SUCCESS
  })

  router.get('/api/leads/:id/candidates', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const { q } = parse(CandidatesQuery, ctx.query)

    const lead = await leads.find(db, id)
    if (!lead) throw new AppError('not_found', 'There is no such lead. It may have been deleted.')
    const [candidates, samePerson] = await Promise.all([
      providers.listCandidates(db, lead.zip_code, q),
      leadLists.listSamePerson(db, lead),
    ])
    await readings.note(ctx, { entity: 'lead', ids: [id, ...samePerson.map((other) => other.id)] })
    ctx.body = { candidates, samePerson, radiusMiles: env.MATCH_RADIUS_MILES } satisfies MatchCandidates
  })

  router.delete('/api/leads/:id', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    await leadActions.remove(db, id, actorOf(ctx))
    ctx.body = SUCCESS
  })
}
