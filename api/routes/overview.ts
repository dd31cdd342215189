import type Router from '@koa/router'
import { OverviewQuery } from '../../core/contract/overview.ts'
import { periodOf } from '../../core/rules/periods.ts'
import * as overview from '../../core/stores/overview.ts'
import { staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function overviewRoutes(router: Router, services: Services): void {
  const { db, env } = services

  router.get('/api/overview', staffOnly(services), async (ctx) => {
    const timeZone = env.NETWORK_TIME_ZONE
    const period = periodOf(parse(OverviewQuery, ctx.query), new Date(), timeZone)
    ctx.body = await overview.read(db, { ...period, timeZone })
  })
}
