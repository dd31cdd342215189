import type { Context, Middleware } from 'koa'
import { AppError } from '../../core/errors.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import type { Services } from '../services.ts'

const COOKIE = 'leadwell_session'

/** Whether this request comes from staff: with an open session, or because access is open in the local demo. */
export async function isStaff(ctx: Context, { db, env }: Pick<Services, 'db' | 'env'>): Promise<boolean> {
  if (env.ADMIN_ACCESS === 'open') return true
  const token = ctx.cookies.get(COOKIE)
  return token !== undefined && (await staffSessions.isOpen(db, token))
}

/** Lets staff through, and nobody else. */
export function staffOnly(services: Pick<Services, 'db' | 'env'>): Middleware {
  return async (ctx, next) => {
    if (!(await isStaff(ctx, services))) throw new AppError('unauthorized', 'Please sign in.')
    ctx.set('Cache-Control', 'no-store')
    await next()
  }
}

/** Hands the session to the browser, out of reach of scripts and of other sites; without a token, takes it away. */
export function setSessionCookie(ctx: Context, { env }: Pick<Services, 'env'>, token: string | null): void {
  const secure = env.PUBLIC_URL.startsWith('https:')
  // Behind a proxy that ends TLS the connection to us is not secure, and `cookies` would refuse to set a secure cookie.
  ctx.cookies.secure = secure
  ctx.cookies.set(COOKIE, token, {
    httpOnly: true,
    sameSite: 'strict',
    secure,
    maxAge: token ? staffSessions.SESSION_LIFETIME : undefined,
    overwrite: true,
  })
}

export function sessionToken(ctx: Context): string | undefined {
  return ctx.cookies.get(COOKIE)
}
