import type Router from '@koa/router'
import { createReadiness } from '../readiness.ts'
import type { Services } from '../services.ts'

export function healthRoutes(router: Router, { db }: Services): void {
  /** The process is alive; nothing else is asked. */
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })

  /** The database is reachable and has every migration that this code knows. Why not is said on `METRICS_PORT` only. */
  const readiness = createReadiness(db)
  router.get('/readyz', async (ctx) => {
    const { status } = await readiness()
    ctx.status = status === 'ready' ? 200 : 503
    ctx.body = { status }
  })
}
