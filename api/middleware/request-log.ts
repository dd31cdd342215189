import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'
import type { Logger } from '../../core/log.ts'

/** One line for each call of the API: what, how it ended, how long it took in milliseconds. Never a query or a body. */
export function requestLog(log: Logger): Middleware {
  return async (ctx, next) => {
    const started = performance.now()
    ctx.state.requestId = randomUUID()
    ctx.set('X-Request-Id', ctx.state.requestId)
    await next()
    if (!ctx.path.startsWith('/api/')) return

    const line = {
      requestId: ctx.state.requestId,
      method: ctx.method,
      path: ctx.path,
      status: ctx.status,
      ms: Math.round(performance.now() - started),
    }
    if (ctx.status >= 500) log.error(line, 'request')
    else log.info(line, 'request')
  }
}
