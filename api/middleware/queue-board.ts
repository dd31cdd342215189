import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { KoaAdapter } from '@bull-board/koa'
import type { Context, Middleware } from 'koa'
import { palette } from '../../core/brand/palette.ts'
import { countOpen } from '../../core/conditions/stores/health.ts'
import { formatCount } from '../../core/contract/format.ts'
import { JobName } from '../../core/deliveries/contract/jobs.ts'
import { JOBS } from '../../core/deliveries/jobs.ts'
import { countFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import { AppError } from '../../core/errors.ts'
import type { Db } from '../../core/platform/db.ts'
import { DAY } from '../../core/time.ts'
import type { Services } from '../services.ts'
import { sameOrigin } from './security.ts'
import { type Staff, staffOf } from './session.ts'

const PATH = '/admin/queues'
const BOARD_STYLES = "style-src 'self' 'unsafe-inline'"

/**
 * Serves Bull Board to staff: the current content of the queues, which is ids and nothing about a person. Read-only;
 * retries belong to the ledger.
 */
export function queueBoard(services: Services): Middleware {
  const adapter = new KoaAdapter()
  adapter.setBasePath(PATH)
  createBullBoard({
    queues: services.queues.all.map((queue) => {
      const { label: displayName, description } = JOBS[JobName.parse(queue.name)]
      return new BullMQAdapter(queue, { readOnlyMode: true, displayName, description })
    }),
    serverAdapter: adapter,
    options: {
      uiConfig: {
        boardTitle: 'Leadwell queues',
        hideRedisDetails: true,
        miscLinks: [{ text: 'Back to the dashboard', url: '/admin?tab=health' }],
      },
    },
  })
  const board = adapter.registerPlugin()

  const fromSite = sameOrigin(services.env)

  return async (ctx, next) => {
    if (ctx.path !== PATH && !ctx.path.startsWith(`${PATH}/`)) return next()
    ctx.set('Cache-Control', 'no-store')
    await fromSite(ctx, async () => {
      const staff = await staffOf(ctx, services)
      if (!staff && isPage(ctx)) return ctx.redirect('/admin')
      checkAccess(ctx, staff)
      // Bull Board sets inline styles. Scripts stay as strict as everywhere.
      ctx.set(
        'Content-Security-Policy',
        ctx.response.get('Content-Security-Policy').replace(/style-src [^;]+/, BOARD_STYLES),
      )
      await board(ctx as never, next)
      if (ctx.response.is('html') && typeof ctx.body === 'string') {
        ctx.body = withLedger(ctx.body, await countLedger(services.db))
      }
    })
  }
}

/** In milliseconds: failures of the ledger before that are not counted here, as in the tab of health. */
const COUNTED = 30 * DAY

type Counted = { open: number; failed: number }

async function countLedger(db: Db): Promise<Counted> {
  const [{ enqueued, waiting }, failed] = await Promise.all([
    countOpen(db),
    countFailed(db, { since: new Date(Date.now() - COUNTED).toISOString() }),
  ])
  return { open: enqueued + waiting, failed }
}

/**
 * Adds the counts of the ledger to Bull Board's page, because the queue forgets what has failed, and removes its fonts of
 * another host: the policy refuses them, and they would tell that host who looks at the queues.
 */
function withLedger(html: string, { open, failed }: Counted): string {
  const { night, background } = palette
  // At the bottom, because Bull Board's own header and side bar are fixed to the top and would cover it.
  const place = 'position:fixed;inset:auto 0 0;z-index:1000;margin:0'
  const style = `${place};padding:.6rem 1rem;background:${night};color:${background};font:600 .875rem/1.4 system-ui,sans-serif`
  const link = `color:inherit;text-decoration:underline`
  const banner = `<p role="note" style="${style}">The queue forgets finished jobs. In the ledger: ${formatCount(failed)} failed permanently in 30 days, ${formatCount(open)} open.
<a href="/admin?tab=health" style="${link}">See the health, and retry</a></p>`
  return html
    .replace(/<link[^>]+href="https?:[^>]*>/g, '')
    .replace(/(<body[^>]*>)/, `$1<style>body{padding-bottom:3rem}</style>${banner}`)
}

/** Returns whether a browser opens the page. Scripts accept any type and would follow a redirect to the sign-in. */
function isPage(ctx: Context): boolean {
  const isCall = !['GET', 'HEAD'].includes(ctx.method) || ctx.path.startsWith(`${PATH}/api/`)
  return !isCall && ctx.accepts('json', 'html') === 'html'
}

/** Checks access as for any staff call: viewers read, managers act. */
function checkAccess({ method }: Context, staff: Staff | null): void {
  if (!staff) throw new AppError('unauthorized', 'Please sign in.')
  if (staff.role !== 'manager' && !['GET', 'HEAD'].includes(method)) {
    throw new AppError('forbidden', 'Only managers may do this. Ask one of them.')
  }
}
