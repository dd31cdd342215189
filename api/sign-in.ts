import type { Context } from 'koa'
import type { Session } from '../core/staff/contract/session.ts'
import { SINGLE_SIGN_ON } from '../core/staff/contract/session.ts'
import { signIn } from '../core/staff/sign-in.ts'
import * as accounts from '../core/staff/stores/staff-accounts.ts'
import { isSharedPasswordOff } from '../core/staff/stores/staff-accounts.ts'
import * as factors from '../core/staff/stores/staff-factors.ts'
import * as staffSessions from '../core/staff/stores/staff-sessions.ts'
import { MINUTE } from '../core/time.ts'
import type { Credential } from './credentials.ts'
import { knownDevice, markDevice } from './login-throttle.ts'
import {
  deviceMark,
  lacksFactor,
  type Staff,
  sessionToken,
  setDeviceCookie,
  setSessionCookie,
  setSignInCookie,
  signInToken,
} from './middleware/session.ts'
import type { Services } from './services.ts'

/**
 * `factor`: what the second step was passed with. `isNew`: whether the owner gets an e-mail about a new browser; by default
 * if this one has not signed in to the account before. `isConfirmed`: signing in proved the identity just now, by default true.
 */
type Options = { isNew?: boolean; factor?: string; isConfirmed?: boolean }

/** Creates the last steps that every way to sign in has in common. */
export function createSignIn(services: Services) {
  const { db, env } = services

  /** Continues after the first factor: begins the second step, or opens the session if the account has none. */
  async function continueSignIn(
    ctx: Context,
    credential: Credential,
    owner: staffSessions.SessionOwner,
    options: Options = {},
  ): Promise<Session> {
    const hasFactor = 'accountId' in owner && (await factors.kinds(db, owner.accountId)).length > 0
    if (!hasFactor) return finishSignIn(ctx, credential, owner, options)

    const token = staffSessions.makePendingToken()
    await staffSessions.begin(db, token, owner.accountId)
    setSignInCookie(ctx, services, token)
    return describeSession(ctx, null, token)
  }

  /** Opens a session in this browser and describes it. */
  async function finishSignIn(
    ctx: Context,
    credential: Credential,
    owner: staffSessions.SessionOwner,
    options: Options = {},
  ): Promise<Session> {
    const token = await openSession(ctx, credential, owner, options)
    return describeSession(ctx, await staffSessions.find(db, token, async () => credential.secret))
  }

  /** Opens a session in this browser, replacing its earlier one. Returns the token. */
  async function openSession(
    ctx: Context,
    credential: Credential,
    owner: staffSessions.SessionOwner,
    options: Options,
  ): Promise<string> {
    const { secret, actor } = credential
    const { isNew = knownDevice(deviceMark(ctx), secret) === null, factor, isConfirmed } = options
    const device = { ip: ctx.ip, userAgent: ctx.get('user-agent') }
    const from = {
      device,
      oldToken: sessionToken(ctx, services),
      isNew,
      idle: env.STAFF_IDLE_MINUTES * MINUTE,
      factor,
      isConfirmed,
    }
    const token = await signIn(db, owner, from, { actor })
    setSessionCookie(ctx, services, token)
    await cancelSignIn(ctx)
    if (secret) setDeviceCookie(ctx, services, markDevice(secret))
    return token
  }

  /** Ends the pending sign-in of this browser, if there is one. */
  async function cancelSignIn(ctx: Context): Promise<void> {
    const token = signInToken(ctx, services)
    if (token === undefined) return
    await staffSessions.endPending(db, token)
    setSignInCookie(ctx, services, null)
  }

  /** Describes the session, or the second step that is pending. */
  async function describeSession(
    ctx: Context,
    staff: Staff | null,
    pending = signInToken(ctx, services),
  ): Promise<Session> {
    const [account, isSharedOff, passkey, secondStep] = await Promise.all([
      accounts.canSignIn(db),
      isSharedPasswordOff(db),
      factors.hasPasskeys(db),
      staff || pending === undefined ? null : staffSessions.findPending(db, pending),
    ])
    const site = {
      access: env.ADMIN_ACCESS,
      time_zone: env.NETWORK_TIME_ZONE,
      ways: {
        account,
        shared: Boolean(env.ADMIN_PASSWORD) && !isSharedOff,
        passkey,
        single_sign_on: env.OIDC_ISSUER ? SINGLE_SIGN_ON : null,
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

  return { continueSignIn, finishSignIn, openSession, cancelSignIn, describeSession }
}
