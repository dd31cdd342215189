import { endSession } from '../../core/commands/staff/end-session.ts'
import * as calls from '../../core/contract/session.ts'
import { AppError } from '../../core/errors.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import type { Handle } from '../handle.ts'
import { setSessionCookie, sharedFingerprint } from '../middleware/session.ts'
import type { Services } from '../services.ts'

/** Registers the calls about the open sessions of staff. */
export function sessionsRoutes(handle: Handle, services: Services): void {
  const { db } = services

  handle(calls.listSessions, async ({ query: { of }, staff: { id, role, sessionId } }) => {
    if (of === 'everybody' && role !== 'manager') {
      throw new AppError('forbidden', 'Only managers may see the sessions of others.')
    }

    const sessions = await staffSessions.list(db, {
      of: of === 'everybody' ? of : { accountId: id },
      sharedFingerprint: await sharedFingerprint(services),
      currentId: sessionId,
    })
    return { sessions }
  })

  handle(calls.endSession, async ({ ctx, params: { id }, staff: { role, sessionId, isConfirmed }, actor }) => {
    await endSession(db, id, { ...actor, role, isConfirmed })
    if (id === sessionId) setSessionCookie(ctx, services, null)
    return { success: true }
  })
}
