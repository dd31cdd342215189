import type { Context, Middleware } from 'koa'
import type { Call } from '../../core/contract/call.ts'
import { CALLS } from '../../core/contract/calls.ts'
import { AppError } from '../../core/errors.ts'
import { fingerprint } from '../../core/passwords.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import { DAY } from '../../core/time.ts'
import type { Services } from '../services.ts'

/** Who is signed in. */
export type Staff = staffSessions.SignedIn

type Needs = Pick<Services, 'db' | 'env'>

const COOKIE = 'leadwell_session'
const DEVICE_COOKIE = 'leadwell_device'
const DEVICE_LIFETIME = 365 * DAY

/**
 * Who makes this request, if it is staff: by an open session, or a manager without a name because access is open in the
 * local demo. Who has yet to choose a password of their own is among them.
 */
export async function staffOf(ctx: Context, { db, env }: Needs): Promise<Staff | null> {
  const token = ctx.cookies.get(COOKIE)
  const staff = token ? await staffSessions.find(db, token, () => sharedFingerprint(env)) : null
  if (staff || env.ADMIN_ACCESS !== 'open') return staff
  return { ...staffSessions.SHARED, sessionId: null }
}

/** Whether this request comes from staff who may read. */
export async function isStaff(ctx: Context, services: Needs): Promise<boolean> {
  const staff = await staffOf(ctx, services)
  return staff !== null && !staff.must_change_password
}

/**
 * Lets those through whom the contract (`core/contract/calls.ts`) allows the call, and nobody else. What is not in the
 * contract is for managers.
 */
export function staffOnly(services: Needs): Middleware {
  return async (ctx, next) => {
    const call = callOf(ctx)
    const staff = await staffOf(ctx, services)
    if (!staff) throw new AppError('unauthorized', 'Please sign in.')
    if (staff.must_change_password && !call?.beforeOwnPassword) {
      throw new AppError('forbidden', 'Choose a password of your own first.')
    }
    if (staff.role !== 'manager' && call?.access !== 'viewer') {
      throw new AppError('forbidden', 'Only managers may do this. Ask one of them.')
    }
    ctx.state.staff = staff
    ctx.set('Cache-Control', 'no-store')
    await next()
  }
}

/** Who is signed in, after `staffOnly`. */
export function signedIn(ctx: Context): Staff {
  return ctx.state.staff
}

/** Who acts, for the audit log, after `staffOnly`: an account by its e-mail, those of the shared password as `staff`. */
export function actorOf(ctx: Context): { actor: string; actorId: number | null } {
  const { id, email } = signedIn(ctx)
  return { actor: email ?? 'staff', actorId: id }
}

/** What sessions of the shared password are known by; null without one. */
export async function sharedFingerprint({ ADMIN_PASSWORD }: Services['env']): Promise<string | null> {
  return ADMIN_PASSWORD ? fingerprint(ADMIN_PASSWORD) : null
}

/** Hands the session to the browser, out of reach of scripts and of other sites; without a token, takes it away. */
export function setSessionCookie(ctx: Context, services: Needs, token: string | null): void {
  setCookie(ctx, services, COOKIE, token, token ? staffSessions.SESSION_LIFETIME : undefined)
}

/** Marks the browser as one that has signed in before. */
export function setDeviceCookie(ctx: Context, services: Needs, mark: string): void {
  setCookie(ctx, services, DEVICE_COOKIE, mark, DEVICE_LIFETIME)
}

export function deviceMark(ctx: Context): string | undefined {
  return ctx.cookies.get(DEVICE_COOKIE)
}

function setCookie(ctx: Context, { env }: Needs, name: string, value: string | null, maxAge?: number): void {
  const secure = env.PUBLIC_URL.startsWith('https:')
  // Behind a proxy that ends TLS the connection to us is not secure, and `cookies` would refuse to set a secure cookie.
  ctx.cookies.secure = secure
  ctx.cookies.set(name, value, { httpOnly: true, sameSite: 'strict', secure, maxAge, overwrite: true })
}

/** The contract's entry for the route that is being run. */
function callOf(ctx: Context): Call | undefined {
  const path = String((ctx as { routerPath?: unknown }).routerPath).replace(/:(\w+)/g, '{$1}')
  // Koa answers HEAD by the route of GET.
  const method = ctx.method === 'HEAD' ? 'get' : ctx.method.toLowerCase()
  return CALLS.find((call) => call.method === method && call.path === path)
}
