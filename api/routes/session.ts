import type Router from '@koa/router'
import type { Context } from 'koa'
import type { z } from 'zod'
import * as staffActions from '../../core/commands/staff-actions.ts'
import { wrongCode } from '../../core/commands/staff-factor-actions.ts'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import { IdentityConfirmation, type PasskeyOptions } from '../../core/contract/second-factor.ts'
import { Login, PasswordChange } from '../../core/contract/session.ts'
import { type LinkAnswer, LinkQuestion, PasswordByLink } from '../../core/contract/staff.ts'
import { AppError } from '../../core/errors.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import { createCodeCheck } from '../code-check.ts'
import { createEntrance } from '../entrance.ts'
import { countGuesses, markDevice } from '../guesses.ts'
import { sameOrigin } from '../middleware/security.ts'
import {
  actorOf,
  deviceMark,
  sessionOf,
  sessionToken,
  setDeviceCookie,
  setSessionCookie,
  signedIn,
  staffOnly,
} from '../middleware/session.ts'
import { parse } from '../parse.ts'
import { createPasskeys } from '../passkeys.ts'
import type { Services } from '../services.ts'
import { accountDoor, invalidPassword, sharedDoor, tryPassword, unknownSource, type Visitor } from '../sign-in.ts'
import { createSignInQueue } from '../sign-in-queue.ts'

export function sessionRoutes(router: Router, services: Services): void {
  const { db, env } = services
  const queue = createSignInQueue()
  const guessed = { db, guesses: countGuesses(db), queue }
  const fromSite = sameOrigin(env)
  const { enter, answer, leaveSignIn } = createEntrance(services)
  const isCodeRight = createCodeCheck(services)
  const passkeys = createPasskeys(services)
  const tokenOf = (ctx: Context) => sessionToken(ctx, services) ?? ''

  // Refusals as well.
  router.use('/api/session', (ctx, next) => {
    ctx.set('Cache-Control', 'no-store')
    return next()
  })

  router.get('/api/session', async (ctx) => {
    await answer(ctx, await sessionOf(ctx, services))
  })

  router.post('/api/session', fromSite, async (ctx) => {
    const { email, password } = parse(Login, ctx.request.body)
    // Refused before the database is asked: an attack sends thousands.
    if (email !== undefined && !deviceMark(ctx)) await queue.refuseIfFull(unknownSource(visitor(ctx)))
    const door = email === undefined ? await sharedDoor(services) : await accountDoor(services, email)
    const owner = await tryPassword(guessed, door, password, visitor(ctx))
    if (!owner) throw invalidPassword()

    await enter(ctx, door, owner)
  })

  router.delete('/api/session', fromSite, async (ctx) => {
    const staff = await sessionOf(ctx, services)
    if (staff?.sessionId) {
      const actor = staff.email ?? 'staff'
      await staffSessions.end(db, staff.sessionId)
      await auditLog.record(db, { actor, action: 'sign-out', entity: 'session', entityId: staff.sessionId })
    }

    setSessionCookie(ctx, services, null)
    await leaveSignIn(ctx)
    await answer(ctx, env.ADMIN_ACCESS === 'open' ? staffSessions.OPEN_DEMO : null)
  })

  router.post('/api/session/activity', fromSite, staffOnly(services), async (ctx) => {
    await answer(ctx, await sessionOf(ctx, services))
  })

  router.post('/api/session/confirm', fromSite, staffOnly(services), async (ctx) => {
    const { sessionId } = signedIn(ctx)
    const given = parse(IdentityConfirmation, ctx.request.body)
    if (sessionId !== null) {
      await prove(ctx, given)
      await staffSessions.confirm(db, sessionId)
    }
    await answer(ctx, await sessionOf(ctx, services))
  })

  router.post('/api/session/confirm/passkey', fromSite, staffOnly(services), async (ctx) => {
    const { id } = signedIn(ctx)
    if (id === null) throw new AppError('not_found', 'The shared password has no passkeys.')
    ctx.body = (await passkeys.request(tokenOf(ctx), 'confirm', id)) satisfies PasskeyOptions
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
    await answer(ctx, changed.token ? await staffSessions.find(db, changed.token, async () => null) : null)
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

  /** @throws AppError `invalid` when what was given is wrong: no 401, because the session is good */
  async function prove(ctx: Context, { password = '', code, passkey }: Proofs): Promise<void> {
    const { id, email } = signedIn(ctx)
    if (code !== undefined) {
      if (id === null || !(await isCodeRight(id, { code }))) throw wrongCode()
    } else if (passkey) {
      const proof = await passkeys.verify(tokenOf(ctx), 'confirm', passkey)
      if (!proof || proof.accountId !== id) throw wrong('passkey', 'This passkey was not accepted. Please try again.')
    } else {
      const door = email === null ? await sharedDoor(services) : await accountDoor(services, email)
      if (!(await tryPassword(guessed, door, password, visitor(ctx)))) throw wrong('password', 'Invalid password')
    }
  }
}

type Proofs = z.output<typeof IdentityConfirmation>

function visitor(ctx: Context): Visitor {
  return { address: ctx.ip, mark: deviceMark(ctx) }
}

function wrong(field: string, sentence: string): AppError {
  return new AppError('invalid', sentence, { fields: { [field]: sentence } })
}
