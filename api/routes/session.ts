import { createHash, timingSafeEqual } from 'node:crypto'
import type Router from '@koa/router'
import { Login, type Session } from '../../core/contract/session.ts'
import { AppError } from '../../core/errors.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { sameOrigin } from '../middleware/security.ts'
import { isStaff, sessionToken, setSessionCookie } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

const LOGINS_PER_MINUTE = 10

export function sessionRoutes(router: Router, services: Services): void {
  const { db, env } = services
  const session = (authenticated: boolean): Session => ({ authenticated, access: env.ADMIN_ACCESS })
  const slowGuessers = rateLimit(LOGINS_PER_MINUTE, 'Too many attempts. Please wait a minute.')

  router.get('/api/session', async (ctx) => {
    ctx.body = session(await isStaff(ctx, services))
  })

  router.post('/api/session', sameOrigin(env), slowGuessers, async (ctx) => {
    const { password } = parse(Login, ctx.request.body)
    if (!env.ADMIN_PASSWORD || !isSame(password, env.ADMIN_PASSWORD)) {
      throw new AppError('unauthorized', 'Invalid password')
    }

    setSessionCookie(ctx, services, await staffSessions.open(db))
    ctx.body = session(true)
  })

  router.delete('/api/session', sameOrigin(env), async (ctx) => {
    const token = sessionToken(ctx)
    if (token) await staffSessions.close(db, token)

    setSessionCookie(ctx, services, null)
    ctx.body = session(env.ADMIN_ACCESS === 'open')
  })
}

/** Compares in a time that tells nothing about where the texts differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
