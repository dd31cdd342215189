import type Router from '@koa/router'
import type { Context } from 'koa'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import { IdentityConfirmation, Login, PasswordChange, type Session } from '../../core/contract/session.ts'
import { type LinkAnswer, LinkQuestion, PasswordByLink } from '../../core/contract/staff.ts'
import { AppError } from '../../core/errors.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as accounts from '../../core/stores/staff-accounts.ts'
import * as staffActions from '../../core/stores/staff-actions.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import { isSharedPasswordOff } from '../../core/stores/staff-settings.ts'
import * as signIns from '../../core/stores/staff-sign-ins.ts'
import { countGuesses, knownDevice, markDevice } from '../guesses.ts'
import { sameOrigin } from '../middleware/security.ts'
import {
  actorOf,
  deviceMark,
  idleLimit,
  type Staff,
  sessionToken,
  setDeviceCookie,
  setSessionCookie,
  signedIn,
  staffOf,
  staffOnly,
} from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'
import {
  accountDoor,
  type Door,
  invalidPassword,
  sharedDoor,
  tryPassword,
  unknownSource,
  type Visitor,
} from '../sign-in.ts'
import { createSignInQueue } from '../sign-in-queue.ts'

export function sessionRoutes(router: Router, services: Services): void {
  const { db, env } = services
  const queue = createSignInQueue()
  const guessed = { db, guesses: countGuesses(db), queue }
  const fromSite = sameOrigin(env)

  // Refusals as well.
  router.use('/api/session', (ctx, next) => {
    ctx.set('Cache-Control', 'no-store')
    return next()
  })

  router.get('/api/session', async (ctx) => {
    await answer(ctx, await staffOf(ctx, services))
  })

  router.post('/api/session', fromSite, async (ctx) => {
    const { email, password } = parse(Login, ctx.request.body)
    // Refused before the database is asked: an attack sends thousands.
    if (email !== undefined && !deviceMark(ctx)) await queue.refuseIfFull(unknownSource(visitor(ctx)))
    const door = email === undefined ? await sharedDoor(services) : await accountDoor(services, email)
    const owner = await tryPassword(guessed, door, password, visitor(ctx))
    if (!owner) throw invalidPassword()

    await enter(ctx, door, owner, { isNew: knownDevice(deviceMark(ctx), door.secret) === null })
  })

  router.delete('/api/session', fromSite, async (ctx) => {
    const staff = await staffOf(ctx, services)
    if (staff?.sessionId) {
      const actor = staff.email ?? 'staff'
      await staffSessions.end(db, staff.sessionId)
      await auditLog.record(db, { actor, action: 'sign-out', entity: 'session', entityId: staff.sessionId })
    }

    setSessionCookie(ctx, services, null)
    await answer(ctx, env.ADMIN_ACCESS === 'open' ? staffSessions.OPEN_DEMO : null)
  })

  router.post('/api/session/activity', fromSite, staffOnly(services), async (ctx) => {
    await answer(ctx, await staffOf(ctx, services))
  })

  router.post('/api/session/confirm', fromSite, staffOnly(services), async (ctx) => {
    const { email, sessionId } = signedIn(ctx)
    const { password } = parse(IdentityConfirmation, ctx.request.body)
    if (sessionId !== null) {
      const door = email === null ? await sharedDoor(services) : await accountDoor(services, email)
      // No 401: the session is good.
      if (!(await tryPassword(guessed, door, password, visitor(ctx)))) throw wrong('password', 'Invalid password')
      await staffSessions.confirm(db, sessionId)
    }
    await answer(ctx, await staffOf(ctx, services))
  })

  router.get('/api/session/confirmed', staffOnly(services), (ctx) => {
    ctx.body = { success: true } satisfies ActionAnswer
  })

  router.post('/api/session/password', fromSite, staffOnly(services), async (ctx) => {
    const { id, email, sessionId } = signedIn(ctx)
    const { password, new_password } = parse(PasswordChange, ctx.request.body)
    if (id === null || email === null) {
      throw new AppError('conflict', 'The shared password is set where Leadwell is installed, as ADMIN_PASSWORD.')
    }
    const door = await accountDoor(services, email)
    if (!(await tryPassword(guessed, door, password, visitor(ctx)))) throw wrong('password', 'Invalid password')
    if (new_password === password) throw wrong('new_password', 'The new password must differ from the current one')

    const changed = await staffActions.setPassword(db, id, new_password, { ...actorOf(ctx), keepSession: sessionId })
    if (changed.token) setSessionCookie(ctx, services, changed.token)
    const { secret } = await accountDoor(services, email)
    if (secret) setDeviceCookie(ctx, services, markDevice(secret))
    await answer(ctx, changed.token ? await find(changed.token) : null)
  })

  router.post('/api/session/link', fromSite, async (ctx) => {
    const { token } = parse(LinkQuestion, ctx.request.body)
    const { accountId: _, ...link } = await staffActions.findLink(db, token)
    ctx.body = link satisfies LinkAnswer
  })

  router.post('/api/session/link/password', fromSite, async (ctx) => {
    const { token, new_password } = parse(PasswordByLink, ctx.request.body)
    const { email } = await staffActions.findLink(db, token)
    const accountId = await staffActions.setPasswordByLink(db, token, new_password)
    // The owner is told of the password: a second e-mail about the browser would say the same.
    await enter(ctx, await accountDoor(services, email), { accountId }, { isNew: false })
  })

  /** Opens a session in this browser, in place of the one that it had, and answers with it. */
  async function enter(
    ctx: Context,
    { secret, role, actor }: Door,
    owner: staffSessions.SessionOwner,
    { isNew }: { isNew: boolean },
  ): Promise<void> {
    const device = { ip: ctx.ip, userAgent: ctx.get('user-agent') }
    const from = { device, oldToken: sessionToken(ctx, services), isNew, idle: idleLimit(role, env) }
    const token = await signIns.signIn(db, owner, from, { actor })
    setSessionCookie(ctx, services, token)
    if (secret) setDeviceCookie(ctx, services, markDevice(secret))
    await answer(ctx, await staffSessions.find(db, token, async () => secret))
  }

  const find = (token: string) => staffSessions.find(db, token, async () => null)

  async function answer(ctx: Context, staff: Staff | null): Promise<void> {
    const [account, isSharedOff] = await Promise.all([accounts.canSignIn(db), isSharedPasswordOff(db)])
    const site = {
      access: env.ADMIN_ACCESS,
      time_zone: env.NETWORK_TIME_ZONE,
      ways: { account, shared: Boolean(env.ADMIN_PASSWORD) && !isSharedOff },
    }
    if (!staff) {
      ctx.body = { authenticated: false, ...site } satisfies Session
      return
    }
    const { sessionId: _, isConfirmed: __, idleSecondsLeft, ...person } = staff
    const idle = idleSecondsLeft === null ? {} : { idle_seconds_left: idleSecondsLeft }
    ctx.body = { authenticated: true, ...site, ...idle, staff: person } satisfies Session
  }
}

function visitor(ctx: Context): Visitor {
  return { address: ctx.ip, mark: deviceMark(ctx) }
}

function wrong(field: string, sentence: string): AppError {
  return new AppError('invalid', sentence, { fields: { [field]: sentence } })
}
