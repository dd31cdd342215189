import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { KoaAdapter } from '@bull-board/koa'
import type { Middleware } from 'koa'
import type { Services } from '../services.ts'
import { sameOrigin } from './security.ts'
import { isStaff } from './session.ts'

const PATH = '/admin/queues'
const BOARD_STYLES = "style-src 'self' 'unsafe-inline'"

/** Bull Board for staff: what the queues hold right now. It is read-only; retries belong to the ledger. */
export function queueBoard(services: Services): Middleware {
  const adapter = new KoaAdapter()
  adapter.setBasePath(PATH)
  createBullBoard({
    queues: services.queues.all.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Leadwell queues' } },
  })
  const board = adapter.registerPlugin()

  return async (ctx, next) => {
    if (ctx.path !== PATH && !ctx.path.startsWith(`${PATH}/`)) return next()
    if (!(await isStaff(ctx, services))) return ctx.redirect('/admin')
    // Its components set styles inline. Scripts stay as strict as everywhere.
    ctx.set(
      'Content-Security-Policy',
      ctx.response.get('Content-Security-Policy').replace(/style-src [^;]+/, BOARD_STYLES),
    )
    await sameOrigin(services.env)(ctx, () => board(ctx as never, next) as Promise<void>)
  }
}
