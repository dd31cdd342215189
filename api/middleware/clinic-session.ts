import type { Context, Middleware } from 'koa'
import { AppError } from '../../core/errors.ts'
import { deriveKey, keyedHash } from '../../core/platform/data-key.ts'
import * as clinicLinks from '../../core/providers/stores/clinic-links.ts'
import { DAY } from '../../core/time.ts'
import type { Services } from '../services.ts'
import { cookieName, setCookie } from './session.ts'

type Needs = Pick<Services, 'db' | 'env'>

/** The session of a clinic has a cookie of its own: the same browser may be signed in as staff, too. */
const COOKIE = 'leadwell_clinic'

/** Marks a browser in which an address has signed in, so that it gets a link while a stranger uses up those of others. */
const KNOWN_COOKIE = 'leadwell_clinic_known'
const KNOWN_FOR = 180 * DAY

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
export function clinicOf(ctx: Context): clinicLinks.SignedInClinic {
  return ctx.state.clinic
}

/** Finds the clinic that this browser is signed in to. */
export async function findClinic(ctx: Context, services: Needs): Promise<clinicLinks.SignedInClinic | null> {
  const token = clinicToken(ctx, services)
  return token ? clinicLinks.findSession(services.db, token) : null
}

/** Returns the session token of the browser, valid or not. */
export function clinicToken(ctx: Context, { env }: Needs): string | undefined {
  return ctx.cookies.get(cookieName(env, COOKIE))
}

/** Sets the cookie of the session, or deletes it if the token is null. */
export function setClinicCookie(ctx: Context, services: Needs, token: string | null): void {
  const maxAge = token ? clinicLinks.SESSION_LIFETIME : undefined
  setCookie(ctx, services, cookieName(services.env, COOKIE), token, maxAge)
}

/** Marks the browser as one in which this address has signed in. */
export function setKnownCookie(ctx: Context, services: Needs, email: string): void {
  setCookie(ctx, services, cookieName(services.env, KNOWN_COOKIE), knownMark(services, email), KNOWN_FOR)
}

/** Returns whether this address has signed in with this browser before. */
export function isKnownBrowser(ctx: Context, services: Needs, email: string): boolean {
  return ctx.cookies.get(cookieName(services.env, KNOWN_COOKIE)) === knownMark(services, email)
}

const knownMark = ({ env }: Needs, email: string) =>
  keyedHash(deriveKey(env.DATA_KEY, 'known-browser'), `clinic ${email.toLowerCase()}`)
