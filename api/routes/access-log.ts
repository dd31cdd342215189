import * as calls from '../../core/contract/access-log.ts'
import * as accessLog from '../../core/stores/access-log.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function accessLogRoutes(handle: Handle, { db }: Services): void {
  handle(calls.listAccess, ({ query }) => accessLog.list(db, query))
}
