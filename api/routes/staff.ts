import { maskAuditLine } from '../../core/privacy/rules/masking.ts'
import { changeStaff, endSessionsOf, inviteStaff, resetPassword } from '../../core/staff/account.ts'
import * as accessLogCalls from '../../core/staff/contract/audit-log.ts'
import type { SharedPassword } from '../../core/staff/contract/staff.ts'
import * as calls from '../../core/staff/contract/staff.ts'
import { resetFactors, setSharedPassword } from '../../core/staff/sign-in.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import * as accounts from '../../core/staff/stores/staff-accounts.ts'
import type { Handle } from '../handle.ts'
import { sessionCookie } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function staffRoutes(handle: Handle, services: Services): void {
  const { db, env } = services

  handle(calls.listStaff, async () => {
    const [staff, isOff, canSwitchOff] = await Promise.all([
      accounts.list(db),
      accounts.isSharedPasswordOff(db),
      accounts.canSignIn(db, 'manager'),
    ])
    const state: SharedPassword['state'] = env.ADMIN_PASSWORD ? (isOff ? 'off' : 'on') : 'none'
    return { staff, shared_password: { state, can_switch_off: canSwitchOff } }
  })

  handle(calls.addStaff, ({ body, actor }) => inviteStaff(db, body, actor))

  handle(calls.updateStaff, ({ params: { id }, body, actor }) => changeStaff(db, id, body, actor))

  handle(calls.resetSignIn, async ({ params: { id }, body: { what }, actor }) => {
    if (what === 'password') return resetPassword(db, id, actor)
    if (what === 'factors') await resetFactors(db, id, actor)
    else await endSessionsOf(db, id, actor)
    return accounts.get(db, id)
  })

  handle(calls.switchOffSharedPassword, async ({ ctx, staff, actor }) => {
    await setSharedPassword(db, false, actor)
    if (staff.id === null) sessionCookie.set(ctx, services, null)
  })
}

export function auditLogRoutes(handle: Handle, { db }: Services): void {
  handle(accessLogCalls.listAudit, async ({ staff, query }) => {
    const { lines, total } = await auditLog.list(db, query)
    return { lines: lines.map((line) => maskAuditLine(line, staff.role)), total }
  })
}

export function accessLogRoutes(handle: Handle, { db }: Services): void {
  handle(accessLogCalls.listAccess, ({ query }) => auditLog.listAccess(db, query))
}
