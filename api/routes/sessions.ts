import type Router from '@koa/router'
import * as signIns from '../../core/commands/staff-sign-ins.ts'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import { RowParams } from '../../core/contract/rows.ts'
import { type SessionList, SessionListQuery } from '../../core/contract/session.ts'
import { AppError } from '../../core/errors.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, setSessionCookie, sharedFingerprint, signedIn, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

/** The browsers in which staff are signed in. */
export function sessionsRoutes(router: Router, services: Services): void {
  const { db, env } = services

  router.get('/api/sessions', staffOnly(services), async (ctx) => {
    const { of } = parse(SessionListQuery, ctx.query)
    const { id, role, sessionId } = signedIn(ctx)
    if (of === 'everybody' && role !== 'manager') {
      throw new AppError('forbidden', 'Only managers may see the sessions of others.')
    }

    const sessions = await staffSessions.list(db, {
      of: of === 'everybody' ? of : { accountId: id },
      sharedFingerprint: await sharedFingerprint(services),
      currentId: sessionId,
    })
    ctx.body = { sessions } satisfies SessionList
  })

  router.delete('/api/sessions/:id', sameOrigin(env), staffOnly(services), async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const { role, sessionId, isConfirmed } = signedIn(ctx)

    await signIns.endSession(db, id, { ...actorOf(ctx), role, isConfirmed })
    if (id === sessionId) setSessionCookie(ctx, services, null)
    ctx.body = { success: true } satisfies ActionAnswer
  })
}
