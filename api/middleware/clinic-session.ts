import type { Context, Middleware } from 'koa'
import { AppError } from '../../core/errors.ts'
import * as clinicSessions from '../../core/stores/clinic-sessions.ts'
import type { Services } from '../services.ts'
import { cookieName, setCookie } from './session.ts'

type Needs = Pick<Services, 'db' | 'env'>

/** The session of a clinic has a cookie of its own: the same browser may be signed in as staff, too. */
const COOKIE = 'leadwell_clinic'

/** Admits only a browser that is signed in to a clinic. */
export function clinicOnly(services: Needs): Middleware {
  return async (ctx, next) => {
    // Applies to errors too.
    ctx.set('Cache-Control', 'no-store')
    const clinic = await findClinic(ctx, services)
    if (!clinic) throw new AppError('unauthorized', 'Please sign in to your clinic’s pages.')
    ctx.state.clinic = clinic
    await next()
  }
}

/** Returns the clinic of a request. Requires `clinicOnly`. */
export function clinicOf(ctx: Context): clinicSessions.SignedInClinic {
  return ctx.state.clinic
}

/** Finds the clinic that this browser is signed in to. */
export async function findClinic(ctx: Context, services: Needs): Promise<clinicSessions.SignedInClinic | null> {
  const token = clinicToken(ctx, services)
  return token ? clinicSessions.find(services.db, token) : null
}

/** Returns the session token of the browser, valid or not. */
export function clinicToken(ctx: Context, { env }: Needs): string | undefined {
  return ctx.cookies.get(cookieName(env, COOKIE))
}

/** Sets the cookie of the session, or deletes it if the token is null. */
export function setClinicCookie(ctx: Context, services: Needs, token: string | null): void {
  const maxAge = token ? clinicSessions.SESSION_LIFETIME : undefined
  setCookie(ctx, services, cookieName(services.env, COOKIE), token, maxAge)
}
