import type { Context, Middleware } from 'koa'
import type { Call } from '../../core/contract/call.ts'
import { DAY, MINUTE } from '../../core/contract/time.ts'
import type { ApiEnv } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import type { Db } from '../../core/platform/db.ts'
import { rememberSession } from '../../core/platform/log.ts'
import { fingerprint } from '../../core/platform/passwords.ts'
import { StaffRole } from '../../core/staff/contract/staff.ts'
import { isFactorRequired } from '../../core/staff/rules/second-factor.ts'
import { confirmIdentity } from '../../core/staff/sign-in.ts'
import { isSharedPasswordOff } from '../../core/staff/stores/staff-accounts.ts'
import * as staffSessions from '../../core/staff/stores/staff-sessions.ts'

/** The signed-in person, by an account or the shared password. */
export type Staff = staffSessions.SignedIn

type Needs = { db: Db; env: ApiEnv }

/**
 * A cookie that scripts and other sites cannot use and that ends after `lifetime` milliseconds. Browsers accept a `__Host-`
 * cookie only from this host over HTTPS, so that no other subdomain can replace it. Source: RFC 6265bis, 4.1.3.2.
 */
export function cookie(name: string, lifetime: number, { isOfHost = true } = {}) {
  const isSecure = ({ env }: Needs) => env.PUBLIC_URL.startsWith('https:')
  const nameOf = (services: Needs) => (isOfHost && isSecure(services) ? `__Host-${name}` : name)
  return {
    read: (ctx: Context, services: Needs): string | undefined => ctx.cookies.get(nameOf(services)),
    /** Deletes the cookie if the value is null. */
    set(ctx: Context, services: Needs, value: string | null): void {
      const secure = isSecure(services)
      // Behind a proxy that ends TLS the connection to us is not secure, and `cookies` would refuse to set a secure cookie.
      ctx.cookies.secure = secure
      const maxAge = value === null ? undefined : lifetime
      ctx.cookies.set(nameOf(services), value, { httpOnly: true, sameSite: 'strict', secure, maxAge, overwrite: true })
    },
  }
}
export const sessionCookie = cookie('leadwell_session', staffSessions.SESSION_LIFETIME)
/** Identifies a pending sign-in. It gives no access. */
export const signInCookie = cookie('leadwell_sign_in', staffSessions.PENDING_LIFETIME)
/** Has the flow of single sign-on, for the time that a person may take at the provider. */
export const signOnCookie = cookie('leadwell_sso', 10 * MINUTE)
export const deviceCookie = cookie('leadwell_device', 365 * DAY, { isOfHost: false })

/** Returns null while a required second factor is missing. In the open demo, staff are a manager without a name. */
async function staffOf(ctx: Context, services: Needs): Promise<Staff | null> {
  const staff = await sessionOf(ctx, services)
  return staff && lacksFactor(staff, services) ? null : staff
}

/** Returns whether a required second factor is missing. Single sign-on is exempt: its provider checks one. */
export function lacksFactor({ id, role, hasFactor, isBySingleSignOn }: Staff, { env }: Needs): boolean {
  return id !== null && !hasFactor && !isBySingleSignOn && isFactorRequired(env.REQUIRE_SECOND_FACTOR, role)
}

/** Like `staffOf`, but also returns an account that still has to set up a required second factor. */
export async function sessionOf(ctx: Context, services: Needs): Promise<Staff | null> {
  const token = sessionCookie.read(ctx, services)
  const staff = token ? await staffSessions.find(services.db, token, () => sharedFingerprint(services)) : null
  if (staff || services.env.ADMIN_ACCESS !== 'open') return staff
  return staffSessions.OPEN_DEMO
}

/** Returns whether the request comes from staff. If so, forbids caches to store the answer. */
export async function isStaff(ctx: Context, services: Needs): Promise<boolean> {
  const isAllowed = (await staffOf(ctx, services)) !== null
  if (isAllowed && !ctx.headerSent) ctx.set('Cache-Control', 'no-store')
  return isAllowed
}

/** Admits staff with the role and confirmation of a call. Only changes count as activity: pages read by themselves. */
export function staffOnly(services: Needs, call: Call & { access: StaffRole }): Middleware {
  return async (ctx, next) => {
    // Applies to errors too.
    ctx.set('Cache-Control', 'no-store')
    const staff = await sessionOf(ctx, services)
    if (!staff) throw new AppError('unauthorized', 'Please sign in.')
    if (lacksFactor(staff, services) && !call.beforeSecondFactor) {
      throw new AppError('second_factor_required', 'Set up two-step sign-in first. Your account requires it.')
    }
    if (rankOf(staff.role) < rankOf(call.access)) {
      throw new AppError('forbidden', 'Only managers may do this. Ask one of them.')
    }
    const { sessionId } = staff
    if (sessionId !== null && call.method !== 'GET') {
      await staffSessions.touch(services.db, sessionId, services.env.STAFF_IDLE_MINUTES * MINUTE)
    }
    if (call.needsConfirmation && !staff.isConfirmed) throw confirmIdentity()
    ctx.state.staff = staff
    rememberSession(staff.sessionId)
    await next()
  }
}

/** Requires a confirmation in a call that needs it only in some cases. @throws AppError `confirm_identity` */
export function requireConfirmation({ isConfirmed }: Staff): void {
  if (!isConfirmed) throw confirmIdentity()
}

const rankOf = (role: StaffRole): number => StaffRole.options.indexOf(role)

/** Returns whether emails and phone numbers are shown in full. */
export function seesContacts({ role }: Staff): boolean {
  return role !== 'viewer'
}

/** Returns the staff of a request. Requires `staffOnly`. */
export function signedIn(ctx: Context): Staff {
  return ctx.state.staff
}

/** The actor in the audit log: the email of an account, or `staff` for the shared password. */
export type Actor = { actor: string; actorId: number | null }

/** Returns the actor of a request. Requires `staffOnly`. */
export function actorOf(ctx: Context): Actor {
  const { id, email } = signedIn(ctx)
  return { actor: email ?? 'staff', actorId: id }
}

/** Returns the fingerprint of the shared password, which its sessions store; null if it is unset or switched off. */
export async function sharedFingerprint({ db, env }: Needs): Promise<string | null> {
  if (!env.ADMIN_PASSWORD || (await isSharedPasswordOff(db))) return null
  return fingerprint(env.ADMIN_PASSWORD)
}
