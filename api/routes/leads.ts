import type Router from '@koa/router'
import type { LeadJob } from '../../core/contract/jobs.ts'
import { IdempotencyKey, LeadListQuery, LeadParams, NewLead, NewLeadQuery } from '../../core/contract/leads.ts'
import { AppError } from '../../core/errors.ts'
import { chooseProvider, type Match, type NoMatch } from '../../core/rules/matching.ts'
import * as jobs from '../../core/stores/jobs.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providers from '../../core/stores/providers.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

const TOO_MANY = 'Too many forms came from your network. Please try again in a minute.'

export function leadRoutes(router: Router, services: Services): void {
  const { db, env, relay } = services

  router.post('/api/leads', rateLimit(env.LEAD_RATE_PER_MINUTE, TOO_MANY), async (ctx) => {
    const { providerId } = parse(NewLeadQuery, ctx.query)
    const idempotencyKey = parse(IdempotencyKey, ctx.get('idempotency-key') || undefined)
    const lead = parse(NewLead, ctx.request.body)
    const visit = { ip: ctx.ip, userAgent: ctx.get('user-agent'), pageUrl: ctx.get('referer') }

    const match = await findMatch(services, lead.zip_code, providerId)
    const { receipt } = await leads.submit(db, { lead, chosenProviderId: providerId, idempotencyKey, match, visit })
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

/** Matching must never cost us a lead: if it cannot be done now, the lead is stored unmatched and a job does it. */
async function findMatch({ db, env, log }: Services, zip: string, chosenId?: number): Promise<Match | NoMatch> {
  try {
    const chosen = chosenId === undefined ? null : await providers.findCandidate(db, chosenId, zip)
    const nearest = chosen ? [] : await providers.findNearest(db, zip)
    return chooseProvider({ chosen, nearest, radiusMiles: env.MATCH_RADIUS_MILES })
  } catch (error) {
    log.warn({ err: error }, 'matching failed; a job will do it')
    return { providerId: null, nearestMiles: null }
  }
}
