import type Router from '@koa/router'
import { createReadiness } from '../readiness.ts'
import type { Services } from '../services.ts'

export function healthRoutes(router: Router, { db }: Services): void {
  /** Answers while the process is alive. */
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })

  /** Answers 200 if the database is reachable and has all migrations. `METRICS_PORT` gives the reason otherwise. */
  const readiness = createReadiness(db)
  router.get('/readyz', async (ctx) => {
    const { status } = await readiness()
    ctx.status = status === 'ready' ? 200 : 503
    ctx.body = { status }
  })
}
