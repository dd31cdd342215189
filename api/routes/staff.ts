import type Router from '@koa/router'
import * as staffActions from '../../core/commands/staff-actions.ts'
import * as signIns from '../../core/commands/staff-sign-ins.ts'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import { RowParams } from '../../core/contract/rows.ts'
import { NewStaff, type StaffAccount, type StaffList, StaffUpdate } from '../../core/contract/staff.ts'
import * as accounts from '../../core/stores/staff-accounts.ts'
import { isSharedPasswordOff } from '../../core/stores/staff-settings.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, setSessionCookie, signedIn, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

/** The accounts of staff. */
export function staffRoutes(router: Router, services: Services): void {
  const { db, env } = services
  const staff = [sameOrigin(env), staffOnly(services)] as const

  router.get('/api/staff', ...staff, async (ctx) => {
    const [staff, isOff, canSwitchOff] = await Promise.all([
      accounts.list(db),
      isSharedPasswordOff(db),
      accounts.canSignIn(db, 'manager'),
    ])
    const state = env.ADMIN_PASSWORD ? (isOff ? 'off' : 'on') : 'none'
    ctx.body = { staff, shared_password: { state, can_switch_off: canSwitchOff } } satisfies StaffList
  })

  router.post('/api/staff', ...staff, async (ctx) => {
    const newcomer = parse(NewStaff, ctx.request.body)

    const account = await staffActions.invite(db, newcomer, actorOf(ctx))
    ctx.status = 201
    ctx.body = account satisfies StaffAccount
  })

  router.patch('/api/staff/:id', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const update = parse(StaffUpdate, ctx.request.body)

    ctx.body = (await staffActions.change(db, id, update, actorOf(ctx))) satisfies StaffAccount
  })

  router.post('/api/staff/:id/reset-password', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    ctx.body = (await staffActions.resetPassword(db, id, actorOf(ctx))) satisfies StaffAccount
  })

  router.delete('/api/shared-password', ...staff, async (ctx) => {
    await signIns.setSharedPassword(db, false, actorOf(ctx))
    if (signedIn(ctx).id === null) setSessionCookie(ctx, services, null)
    ctx.body = { success: true } satisfies ActionAnswer
  })
}
