import type Router from '@koa/router'
import type { Context } from 'koa'
import { Login, PasswordChange, type Session } from '../../core/contract/session.ts'
import { AppError } from '../../core/errors.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as staffActions from '../../core/stores/staff-actions.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import { countGuesses, markDevice } from '../guesses.ts'
import { addressKey } from '../middleware/rate-limit.ts'
import { sameOrigin } from '../middleware/security.ts'
import {
  actorOf,
  deviceMark,
  type Staff,
  setDeviceCookie,
  setSessionCookie,
  signedIn,
  staffOf,
  staffOnly,
} from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'
import { accountDoor, invalidPassword, sharedDoor, tryPassword, type Visitor } from '../sign-in.ts'

export function sessionRoutes(router: Router, services: Services): void {
  const { db, env } = services
  const guessed = { db, guesses: countGuesses(db) }

  router.get('/api/session', async (ctx) => {
    answer(ctx, await staffOf(ctx, services))
  })

  router.post('/api/session', sameOrigin(env), async (ctx) => {
    const { email, password } = parse(Login, ctx.request.body)
    const door = email === undefined ? await sharedDoor(services) : await accountDoor(services, email)
    const owner = await tryPassword(guessed, door, password, visitor(ctx))
    if (!owner) throw invalidPassword()

    const { id, token } = await staffSessions.open(db, owner, { ip: ctx.ip, userAgent: ctx.get('user-agent') })
    await auditLog.record(db, { actor: door.actor, action: 'sign-in', entity: 'session', entityId: id })
    setSessionCookie(ctx, services, token)
    if (door.secret) setDeviceCookie(ctx, services, markDevice(door.secret))
    answer(ctx, await staffSessions.find(db, token, async () => door.secret))
  })

  router.delete('/api/session', sameOrigin(env), async (ctx) => {
    const staff = await staffOf(ctx, services)
    if (staff?.sessionId) {
      const actor = staff.email ?? 'staff'
      await staffSessions.end(db, staff.sessionId)
      await auditLog.record(db, { actor, action: 'sign-out', entity: 'session', entityId: staff.sessionId })
    }

    setSessionCookie(ctx, services, null)
    answer(ctx, env.ADMIN_ACCESS === 'open' ? { ...staffSessions.SHARED, sessionId: null } : null)
  })

  router.post('/api/session/password', sameOrigin(env), staffOnly(services), async (ctx) => {
    const { id, email, sessionId } = signedIn(ctx)
    const { password, new_password } = parse(PasswordChange, ctx.request.body)
    if (id === null || email === null) {
      throw new AppError('conflict', 'The shared password is set where Leadwell is installed, as ADMIN_PASSWORD.')
    }
    const door = await accountDoor(services, email)
    // No 401: the session is good.
    if (!(await tryPassword(guessed, door, password, visitor(ctx)))) throw wrong('password', 'Invalid password')
    if (new_password === password) throw wrong('new_password', 'The new password must differ from the current one')

    await staffActions.setPassword(db, id, new_password, { ...actorOf(ctx), keepSession: sessionId })
    const { secret } = await accountDoor(services, email)
    if (secret) setDeviceCookie(ctx, services, markDevice(secret))
    answer(ctx, await staffOf(ctx, services))
  })

  function answer(ctx: Context, staff: Staff | null): void {
    ctx.set('Cache-Control', 'no-store')
    const site = { access: env.ADMIN_ACCESS, time_zone: env.NETWORK_TIME_ZONE }
    if (!staff) {
      ctx.body = { authenticated: false, ...site } satisfies Session
      return
    }
    const { sessionId: _, ...person } = staff
    ctx.body = { authenticated: true, ...site, staff: person } satisfies Session
  }
}

function visitor(ctx: Context): Visitor {
  return { address: addressKey(ctx.ip), mark: deviceMark(ctx) }
}

function wrong(field: string, sentence: string): AppError {
  return new AppError('invalid', sentence, { fields: { [field]: sentence } })
}
