import type Router from '@koa/router'
import type { LeadJob } from '../../core/contract/jobs.ts'
import { IdempotencyKey, LeadListQuery, LeadParams, NewLead, NewLeadQuery } from '../../core/contract/leads.ts'
import { AppError } from '../../core/errors.ts'
import * as jobs from '../../core/stores/jobs.ts'
import * as leads from '../../core/stores/leads.ts'
import { createIntake } from '../intake.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

const TOO_MANY = 'Too many forms came from your network. Please try again in a minute.'

export function leadRoutes(router: Router, services: Services): void {
  const { db, env, relay } = services
  const takeLead = createIntake(services)

  router.post('/api/leads', rateLimit(env.LEAD_RATE_PER_MINUTE, TOO_MANY), async (ctx) => {
    const { providerId } = parse(NewLeadQuery, ctx.query)
    const idempotencyKey = parse(IdempotencyKey, ctx.get('idempotency-key') || undefined)
    const lead = parse(NewLead, ctx.request.body)
    const visit = { ip: ctx.ip, userAgent: ctx.get('user-agent'), pageUrl: ctx.get('referer') }

    const receipt = await takeLead({ lead, chosenProviderId: providerId, idempotencyKey, visit })
    relay.wake()

    ctx.status = 201
    ctx.body = receipt
  })

  router.get('/api/leads', staffOnly(services), async (ctx) => {
    ctx.body = await leads.list(db, parse(LeadListQuery, ctx.query))
  })

  router.get('/api/leads/:id/jobs', staffOnly(services), async (ctx) => {
    const { id } = parse(LeadParams, ctx.params)
    if (!(await leads.find(db, id))) throw new AppError('not_found', 'There is no such lead. It may have been deleted.')

    ctx.body = { jobs: await jobs.listForLead(db, id) } satisfies { jobs: LeadJob[] }
  })
}
