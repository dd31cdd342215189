import type { Context } from 'koa'
import { signIn } from '../core/commands/staff/sign-in.ts'
import type { Session } from '../core/contract/session.ts'
import * as accounts from '../core/stores/staff-accounts.ts'
import * as factors from '../core/stores/staff-factors.ts'
import * as pendingSignIns from '../core/stores/staff-pending-sign-ins.ts'
import * as staffSessions from '../core/stores/staff-sessions.ts'
import { isSharedPasswordOff } from '../core/stores/staff-settings.ts'
import { knownDevice, markDevice } from './guesses.ts'
import {
  deviceMark,
  idleLimit,
  lacksFactor,
  type Staff,
  sessionToken,
  setDeviceCookie,
  setSessionCookie,
  setSignInCookie,
  signInToken,
} from './middleware/session.ts'
import type { Services } from './services.ts'
import type { Door } from './sign-in.ts'

/** The steps before. `isNew`: the owner is told of a browser that never signed in to the account. */
type Entry = { isNew?: boolean; factor?: string }

/** Creates the common end of every way to sign in. */
export function createEntrance(services: Services) {
  const { db, env } = services

  /** Continues after the first factor: with the second step, or with the session if the account has none. */
  async function enter(
    ctx: Context,
    door: Door,
    owner: staffSessions.SessionOwner,
    entry: Entry = {},
  ): Promise<Session> {
    const hasFactor = 'accountId' in owner && (await factors.kinds(db, owner.accountId)).length > 0
    if (!hasFactor) return open(ctx, door, owner, entry)

    const token = pendingSignIns.makePendingToken()
    await pendingSignIns.begin(db, token, owner.accountId)
    setSignInCookie(ctx, services, token)
    return describe(ctx, null, token)
  }

  /** Opens a session in this browser and returns it. Asks for nothing further. */
  async function open(
    ctx: Context,
    door: Door,
    owner: staffSessions.SessionOwner,
    entry: Entry = {},
  ): Promise<Session> {
    const token = await openSession(ctx, door, owner, entry)
    return describe(ctx, await staffSessions.find(db, token, async () => door.secret))
  }

  /** Opens a session in this browser, replacing its earlier one. Returns the token. */
  async function openSession(
    ctx: Context,
    door: Door,
    owner: staffSessions.SessionOwner,
    entry: Entry,
  ): Promise<string> {
    const { secret, role, actor } = door
    const { isNew = knownDevice(deviceMark(ctx), secret) === null, factor } = entry
    const device = { ip: ctx.ip, userAgent: ctx.get('user-agent') }
    const from = { device, oldToken: sessionToken(ctx, services), isNew, idle: idleLimit(role, env), factor }
    const token = await signIn(db, owner, from, { actor })
    setSessionCookie(ctx, services, token)
    await leaveSignIn(ctx)
    if (secret) setDeviceCookie(ctx, services, markDevice(secret))
    return token
  }

  /** Ends the pending sign-in of this browser, if there is one. */
  async function leaveSignIn(ctx: Context): Promise<void> {
    const token = signInToken(ctx, services)
    if (token === undefined) return
    await pendingSignIns.end(db, token)
    setSignInCookie(ctx, services, null)
  }

  /** Returns the signed-in person, or the second step that is pending. */
  async function describe(ctx: Context, staff: Staff | null, pending = signInToken(ctx, services)): Promise<Session> {
    const [account, isSharedOff, passkey, secondStep] = await Promise.all([
      accounts.canSignIn(db),
      isSharedPasswordOff(db),
      factors.hasPasskeys(db),
      staff || pending === undefined ? null : pendingSignIns.find(db, pending),
    ])
    const site = {
      access: env.ADMIN_ACCESS,
      time_zone: env.NETWORK_TIME_ZONE,
      ways: {
        account,
        shared: Boolean(env.ADMIN_PASSWORD) && !isSharedOff,
        passkey,
        single_sign_on: env.OIDC_ISSUER ? env.OIDC_LABEL : null,
      },
    }
    if (!staff) {
      const step = secondStep && { second_step: await factors.kinds(db, secondStep.accountId) }
      return { authenticated: false, ...step, ...site }
    }
    const { sessionId: _, isConfirmed: __, isBySingleSignOn: ___, idleSecondsLeft, factors: own, ...person } = staff
    return {
      authenticated: true,
      ...site,
      ...(idleSecondsLeft !== null && { idle_seconds_left: idleSecondsLeft }),
      ...(person.id !== null && { factors: own, lacks_factor: lacksFactor(staff, services) }),
      staff: person,
    }
  }

  return { enter, open, openSession, leaveSignIn, describe }
}
