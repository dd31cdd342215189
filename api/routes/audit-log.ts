import * as accessLogCalls from '../../core/contract/access-log.ts'
import * as calls from '../../core/contract/audit-log.ts'
import { maskAuditLine } from '../../core/rules/masking.ts'
import * as accessLog from '../../core/stores/access-log.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function auditLogRoutes(handle: Handle, { db }: Services): void {
  handle(calls.listAudit, async ({ staff, query }) => {
    const { lines, total } = await auditLog.list(db, query)
    return { lines: lines.map((line) => maskAuditLine(line, staff.role)), total }
  })
}

export function accessLogRoutes(handle: Handle, { db }: Services): void {
  handle(accessLogCalls.listAccess, ({ query }) => accessLog.list(db, query))
}
