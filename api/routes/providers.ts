import type Router from '@koa/router'
import type { Context } from 'koa'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import { EmailToken, NewEmailDecision } from '../../core/contract/provider-emails.ts'
import { packPoints } from '../../core/contract/provider-points.ts'
import {
  HostnameParams,
  isPublic,
  MicrositeProvider,
  ProviderExportQuery,
  ProviderListQuery,
  ProviderParams,
  PUBLIC_PROVIDERS_PER_PAGE,
  PublicProvider,
  publicView,
} from '../../core/contract/providers.ts'
import { AppError } from '../../core/errors.ts'
import { isOwnHost } from '../../core/rules/own-hosts.ts'
import * as exports from '../../core/stores/exports.ts'
import * as providerEmails from '../../core/stores/provider-emails.ts'
import * as providers from '../../core/stores/providers.ts'
import { answerCsv } from '../csv-answer.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, isStaff, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function providerRoutes(router: Router, services: Services): void {
  const { db, env } = services

  // Staff and everybody else get different answers at the same address.
  router.use('/api/providers', (ctx, next) => {
    ctx.vary('Cookie')
    return next()
  })

  router.get('/api/providers', async (ctx) => {
    const { status, view, ids, page } = parse(ProviderListQuery, ctx.query)
    if (view === 'points') {
      // The same for everybody, and asked for by every visitor of the map.
      ctx.set('Cache-Control', 'public, max-age=60, stale-while-revalidate=600')
      ctx.body = packPoints(await providers.listPoints(db, status))
      return
    }
    if (await isStaff(ctx, services)) {
      ctx.body = await providers.forStaff(
        db,
        ids ? await providers.findMany(db, ids) : await providers.list(db, status),
      )
      return
    }
    const { list, hasMore } = ids
      ? { list: await providers.findMany(db, ids), hasMore: false }
      : await providers.listPublic(db, status, { page, limit: PUBLIC_PROVIDERS_PER_PAGE })
    // RFC 8288
    if (hasMore) ctx.set('Link', `</api/providers?status=${status}&page=${page + 1}>; rel="next"`)
    ctx.body = list.filter(isPublic).map((provider) => publicView(PublicProvider, provider))
  })

  router.get('/api/providers.csv', staffOnly(services), async (ctx) => {
    const { status } = parse(ProviderExportQuery, ctx.query)
    const exported = { name: 'providers', entity: 'provider', details: { filter: { status } } } as const
    await answerCsv(ctx, services, exported, exports.providers(db, status))
  })

  router.get('/api/providers/domain/:hostname', async (ctx) => {
    const { hostname } = parse(HostnameParams, ctx.params)

    ctx.body = await present(
      ctx,
      isOwnHost(hostname, env.MAIN_DOMAIN) ? null : await providers.findByDomain(db, hostname),
    )
  })

  router.get('/api/providers/:providerId', async (ctx) => {
    const { providerId } = parse(ProviderParams, ctx.params)

    ctx.body = await present(ctx, await providers.find(db, providerId))
  })

  router.post('/api/providers/:providerId/new-email', sameOrigin(env), staffOnly(services), async (ctx) => {
    const { providerId } = parse(ProviderParams, ctx.params)
    const decision = parse(NewEmailDecision, ctx.request.body)

    await providerEmails.decide(db, providerId, decision, actorOf(ctx))
    ctx.body = { success: true } satisfies ActionAnswer
  })

  // Opening a link must not confirm anything: programs that scan mail for harm open every link.
  router.post('/api/email-confirmations/look-up', sameOrigin(env), async (ctx) => {
    const { token } = parse(EmailToken, ctx.request.body)
    ctx.body = await providerEmails.findByToken(db, token)
  })

  router.post('/api/email-confirmations', sameOrigin(env), async (ctx) => {
    const { token } = parse(EmailToken, ctx.request.body)
    await providerEmails.confirmByToken(db, token)
    ctx.body = { success: true } satisfies ActionAnswer
  })

  /** Everything for staff; for everybody else what the contract calls public, whatever the row holds. */
  async function present(ctx: Context, provider: providers.Provider | null) {
    const forStaff = await isStaff(ctx, services)
    if (!provider) throw new AppError('not_found', 'Provider not found')
    if (!forStaff && !isPublic(provider)) throw new AppError('not_found', 'Provider not found')
    if (!forStaff) return publicView(MicrositeProvider, provider)
    return (await providers.forStaff(db, [provider]))[0]
  }
}
