import type Router from '@koa/router'
import type { Context } from 'koa'
import { packPoints } from '../../core/contract/provider-points.ts'
import {
  HostnameParams,
  MicrositeProvider,
  ProviderExportQuery,
  ProviderListQuery,
  ProviderParams,
  PublicProvider,
  publicView,
} from '../../core/contract/providers.ts'
import { AppError } from '../../core/errors.ts'
import * as exports from '../../core/stores/exports.ts'
import * as providers from '../../core/stores/providers.ts'
import { answerCsv } from '../csv-answer.ts'
import { isStaff, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function providerRoutes(router: Router, services: Services): void {
  const { db } = services

  // Staff and everybody else get different answers at the same address.
  router.use('/api/providers', (ctx, next) => {
    ctx.vary('Cookie')
    return next()
  })

  router.get('/api/providers', async (ctx) => {
    const { status, view, ids } = parse(ProviderListQuery, ctx.query)
    if (view === 'points') {
      // The same for everybody, and asked for by every visitor of the map.
      ctx.set('Cache-Control', 'public, max-age=60, stale-while-revalidate=600')
      ctx.body = packPoints(await providers.listPoints(db, status))
      return
    }
    const list = ids ? await providers.findMany(db, ids) : await providers.list(db, status)

    ctx.body = (await isStaff(ctx, services))
      ? await providers.withLeadCounts(db, list)
      : list.map((provider) => publicView(PublicProvider, provider))
  })

  router.get('/api/providers.csv', staffOnly(services), async (ctx) => {
    const { status } = parse(ProviderExportQuery, ctx.query)
    const exported = { name: 'providers', entity: 'provider', details: { filter: { status } } } as const
    await answerCsv(ctx, services, exported, exports.providers(db, status))
  })

  router.get('/api/providers/domain/:hostname', async (ctx) => {
    const { hostname } = parse(HostnameParams, ctx.params)

    ctx.body = await present(ctx, await providers.findByDomain(db, hostname))
  })

  router.get('/api/providers/:providerId', async (ctx) => {
    const { providerId } = parse(ProviderParams, ctx.params)

    ctx.body = await present(ctx, await providers.find(db, providerId))
  })

  /** Everything for staff; for everybody else what the contract calls public, whatever the row holds. */
  async function present(ctx: Context, provider: providers.Provider | null) {
    if (!provider) throw new AppError('not_found', 'Provider not found')
    if (!(await isStaff(ctx, services))) return publicView(MicrositeProvider, provider)
    return (await providers.withLeadCounts(db, [provider]))[0]
  }
}
