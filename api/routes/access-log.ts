import type Router from '@koa/router'
import { type AccessLog, AccessLogQuery } from '../../core/contract/access-log.ts'
import * as accessLog from '../../core/stores/access-log.ts'
import { staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function accessLogRoutes(router: Router, services: Services): void {
  router.get('/api/access-log', staffOnly(services), async (ctx) => {
    ctx.body = (await accessLog.list(services.db, parse(AccessLogQuery, ctx.query))) satisfies AccessLog
  })
}
