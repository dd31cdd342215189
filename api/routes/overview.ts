import type Router from '@koa/router'
import { OverviewQuery } from '../../core/contract/overview.ts'
import { periodOf } from '../../core/rules/periods.ts'
import * as overview from '../../core/stores/overview.ts'
import { staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function overviewRoutes(router: Router, services: Services): void {
  router.get('/api/overview', staffOnly(services), async (ctx) => {
    ctx.body = await overview.read(services.db, periodOf(parse(OverviewQuery, ctx.query), new Date()))
  })
}
