import type { Context, Middleware } from 'koa'
import { DAY } from '../../core/contract/time.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey, keyedHash } from '../../core/platform/data-key.ts'
import * as clinicLinks from '../../core/providers/stores/clinic-links.ts'
import type { Services } from '../services.ts'
import { cookie } from './session.ts'

type Needs = Pick<Services, 'db' | 'env'>

/** The session of a clinic has a cookie of its own: the same browser may be signed in as staff, too. */
export const clinicCookie = cookie('leadwell_clinic', clinicLinks.SESSION_LIFETIME)

/** Marks a browser in which an address has signed in, so that it gets a link while a stranger uses up those of others. */
const knownCookie = cookie('leadwell_clinic_known', 180 * DAY)

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

export async function findClinic(ctx: Context, services: Needs): Promise<clinicLinks.SignedInClinic | null> {
  const token = clinicCookie.read(ctx, services)
  return token ? clinicLinks.findSession(services.db, token) : null
}

export function setKnownCookie(ctx: Context, services: Needs, email: string): void {
  knownCookie.set(ctx, services, knownMark(services, email))
}

export function isKnownBrowser(ctx: Context, services: Needs, email: string): boolean {
  return knownCookie.read(ctx, services) === knownMark(services, email)
}

const knownMark = ({ env }: Needs, email: string) =>
  keyedHash(deriveKey(env.DATA_KEY, 'known-browser'), `clinic ${email.toLowerCase()}`)
