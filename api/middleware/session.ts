import type { Context, Middleware } from 'koa'
import { confirmIdentity } from '../../core/commands/staff/end-session.ts'
import type { Call } from '../../core/contract/call.ts'
import { StaffRole } from '../../core/contract/staff.ts'
import type { Env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { fingerprint } from '../../core/platform/passwords.ts'
import { rememberSession } from '../../core/platform/request-context.ts'
import { isFactorRequired } from '../../core/rules/second-factor.ts'
import { PENDING_LIFETIME } from '../../core/stores/staff-pending-sign-ins.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import { isSharedPasswordOff } from '../../core/stores/staff-settings.ts'
import { DAY, MINUTE } from '../../core/time.ts'
import type { Services } from '../services.ts'

/** Who is signed in. */
export type Staff = staffSessions.SignedIn

type Needs = Pick<Services, 'db' | 'env'>

/**
 * With `__Host-`, browsers take the cookie from this host alone, over HTTPS: no neighbouring subdomain can put another in
 * its place. Source: RFC 6265bis, 4.1.3.2.
 */
const cookieName = ({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>, name = 'leadwell_session') =>
  PUBLIC_URL.startsWith('https:') ? `__Host-${name}` : name
/** Of a browser whose sign-in is under way. It opens nothing. */
const SIGN_IN_COOKIE = 'leadwell_sign_in'
const SIGN_ON_COOKIE = 'leadwell_sso'
const DEVICE_COOKIE = 'leadwell_device'
const DEVICE_LIFETIME = 365 * DAY

/**
 * Who makes this request, if it is staff: by an open session, or a manager without a name because access is open in the
 * local demo. Nobody while a second factor is required and still to be set up.
 */
export async function staffOf(ctx: Context, services: Needs): Promise<Staff | null> {
  const staff = await sessionOf(ctx, services)
  return staff && lacksFactor(staff, services) ? null : staff
}

/**
 * Returns whether someone must set up a second factor before anything else. The shared password has no account, and whom
 * single sign-on lets in is up to the provider's policy.
 */
export function lacksFactor({ id, role, factors, isBySingleSignOn }: Staff, { env }: Needs): boolean {
  return id !== null && factors.length === 0 && !isBySingleSignOn && isFactorRequired(env.REQUIRE_SECOND_FACTOR, role)
}

/** As `staffOf`, but also those who still have to set up a second factor: for the session itself, and for what does so. */
export async function sessionOf(ctx: Context, services: Needs): Promise<Staff | null> {
  const token = sessionToken(ctx, services)
  const staff = token ? await staffSessions.find(services.db, token, () => sharedFingerprint(services)) : null
  if (staff || services.env.ADMIN_ACCESS !== 'open') return staff
  return staffSessions.OPEN_DEMO
}

/** The token that the browser has, whether it opens anything or not. */
export function sessionToken(ctx: Context, { env }: Needs): string | undefined {
  return ctx.cookies.get(cookieName(env))
}

/** Whether this request comes from staff who may read. What they are answered is not to be stored. */
export async function isStaff(ctx: Context, services: Needs): Promise<boolean> {
  const isAllowed = (await staffOf(ctx, services)) !== null
  if (isAllowed && !ctx.headerSent) ctx.set('Cache-Control', 'no-store')
  return isAllowed
}

/**
 * Lets those through who may make a call for staff, and nobody else. A call that changes something says that the person is
 * at work. One that only reads does not: pages read by themselves.
 */
export function staffOnly(services: Needs, call: Call & { access: StaffRole }): Middleware {
  return async (ctx, next) => {
    // Refusals as well.
    ctx.set('Cache-Control', 'no-store')
    const staff = await sessionOf(ctx, services)
    if (!staff) throw new AppError('unauthorized', 'Please sign in.')
    if (lacksFactor(staff, services) && !call.beforeSecondFactor) {
      throw new AppError('second_factor_required', 'Set up two-step sign-in first. Your account must have it.')
    }
    if (rankOf(staff.role) < rankOf(call.access)) {
      throw new AppError('forbidden', 'Only managers may do this. Ask one of them.')
    }
    const { sessionId, role } = staff
    if (sessionId !== null && call.method !== 'GET') {
      await staffSessions.touch(services.db, sessionId, idleLimit(role, services.env))
    }
    if (call.needsConfirmation && !staff.isConfirmed) throw confirmIdentity()
    ctx.state.staff = staff
    rememberSession(staff.sessionId)
    await next()
  }
}

const rankOf = (role: StaffRole): number => StaffRole.options.indexOf(role)

/** Whether the person who is signed in sees e-mails and phone numbers. */
export function seesContacts({ role }: Staff): boolean {
  return role !== 'viewer'
}

/** Who is signed in, after `staffOnly`. */
export function signedIn(ctx: Context): Staff {
  return ctx.state.staff
}

/** Who acts, for the audit log: an account by its e-mail, those of the shared password as `staff`. */
export type Actor = { actor: string; actorId: number | null }

/** The same of this request, after `staffOnly`. */
export function actorOf(ctx: Context): Actor {
  const { id, email } = signedIn(ctx)
  return { actor: email ?? 'staff', actorId: id }
}

/** What sessions of the shared password are known by; null without one, or when it is switched off. */
export async function sharedFingerprint({ db, env }: Needs): Promise<string | null> {
  if (!env.ADMIN_PASSWORD || (await isSharedPasswordOff(db))) return null
  return fingerprint(env.ADMIN_PASSWORD)
}

/** How long a session stays open without activity, in milliseconds. */
export function idleLimit(role: StaffRole, { STAFF_IDLE_MINUTES, VIEWER_IDLE_MINUTES }: Needs['env']): number {
  return (role === 'manager' ? STAFF_IDLE_MINUTES : VIEWER_IDLE_MINUTES) * MINUTE
}

/** Hands the session to the browser, out of reach of scripts and of other sites; without a token, takes it away. */
export function setSessionCookie(ctx: Context, services: Needs, token: string | null): void {
  setCookie(ctx, services, cookieName(services.env), token, token ? staffSessions.SESSION_LIFETIME : undefined)
}

/** The token of the sign-in that is under way in this browser. */
export function signInToken(ctx: Context, { env }: Needs): string | undefined {
  return ctx.cookies.get(cookieName(env, SIGN_IN_COOKIE))
}

/** Hands the token of a sign-in to the browser; without one, takes it away. */
export function setSignInCookie(ctx: Context, services: Needs, token: string | null): void {
  setCookie(ctx, services, cookieName(services.env, SIGN_IN_COOKIE), token, token ? PENDING_LIFETIME : undefined)
}

/** What the browser keeps of single sign-on while its person is at the provider. */
export function signOnCookie(ctx: Context, { env }: Needs): string | undefined {
  return ctx.cookies.get(cookieName(env, SIGN_ON_COOKIE))
}

/** Lets the browser keep it for so many milliseconds; without a value, takes it away. */
export function setSignOnCookie(ctx: Context, services: Needs, value: string | null, maxAge?: number): void {
  setCookie(ctx, services, cookieName(services.env, SIGN_ON_COOKIE), value, maxAge)
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
