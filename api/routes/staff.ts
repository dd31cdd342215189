import type Router from '@koa/router'
import { RowParams } from '../../core/contract/rows.ts'
import { type Invitation, NewStaff, type StaffAccount, type StaffList, StaffUpdate } from '../../core/contract/staff.ts'
import * as accounts from '../../core/stores/staff-accounts.ts'
import * as staffActions from '../../core/stores/staff-actions.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

/** The accounts of staff. */
export function staffRoutes(router: Router, services: Services): void {
  const { db, env } = services
  const staff = [sameOrigin(env), staffOnly(services)] as const

  router.get('/api/staff', ...staff, async (ctx) => {
    ctx.body = { staff: await accounts.list(db) } satisfies StaffList
  })

  router.post('/api/staff', ...staff, async (ctx) => {
    const newcomer = parse(NewStaff, ctx.request.body)

    const invitation = await staffActions.invite(db, newcomer, actorOf(ctx))
    ctx.status = 201
    ctx.body = invitation satisfies Invitation
  })

  router.patch('/api/staff/:id', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const update = parse(StaffUpdate, ctx.request.body)

    ctx.body = (await staffActions.change(db, id, update, actorOf(ctx))) satisfies StaffAccount
  })

  router.post('/api/staff/:id/reset-password', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    ctx.body = (await staffActions.resetPassword(db, id, actorOf(ctx))) satisfies Invitation
  })
}
