import * as calls from '../../core/contract/audit-log.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function auditLogRoutes(handle: Handle, { db }: Services): void {
  handle(calls.listAudit, ({ query }) => auditLog.list(db, query))
}
