import { setTimeout as sleep } from 'node:timers/promises'
import type Router from '@koa/router'
import { pendingMigrations } from '../../core/db.ts'
import { SECOND } from '../../core/time.ts'
import type { Services } from '../services.ts'

const DEADLINE = 1.5 * SECOND

export function healthRoutes(router: Router, { db }: Services): void {
  /** The process is alive; nothing else is asked. */
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })

  /** The database is reachable and has every migration that this code knows. */
  router.get('/readyz', async (ctx) => {
    const late = sleep(DEADLINE).then(() => Promise.reject(new Error('The database does not answer.')))
    late.catch(() => {})
    try {
      const pending = await Promise.race([pendingMigrations(db), late])
      ctx.status = pending === 0 ? 200 : 503
      ctx.body =
        pending === 0 ? { status: 'ready' } : { status: 'unready', reason: `${pending} migrations are missing.` }
    } catch {
      ctx.status = 503
      ctx.body = { status: 'unready', reason: 'The database does not answer.' }
    }
  })
}
