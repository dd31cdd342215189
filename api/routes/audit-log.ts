import type Router from '@koa/router'
import { type AuditLog, AuditLogQuery } from '../../core/contract/audit-log.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import { staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function auditLogRoutes(router: Router, services: Services): void {
  router.get('/api/audit-log', staffOnly(services), async (ctx) => {
    ctx.body = (await auditLog.list(services.db, parse(AuditLogQuery, ctx.query))) satisfies AuditLog
  })
}
