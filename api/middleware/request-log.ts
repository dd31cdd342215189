import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'
import type { Logger } from '../../core/platform/log.ts'
import { onBehalfOf } from '../../core/platform/log.ts'
import { isCall, loggedPath } from '../route-of.ts'

/** Logs each call of the API with its status and its duration in milliseconds, without query and body. */
export function requestLog(log: Logger): Middleware {
  return async (ctx, next) => {
    const started = performance.now()
    ctx.state.requestId = randomUUID()
    ctx.set('X-Request-Id', ctx.state.requestId)
    await onBehalfOf(ctx.state.requestId, next, { ip: ctx.ip })
    if (!isCall(ctx)) return

    const line = {
      requestId: ctx.state.requestId,
      method: ctx.method,
      path: loggedPath(ctx),
      status: ctx.status,
      ms: Math.round(performance.now() - started),
      // The log lines of the lead's jobs contain both ids.
      ...(ctx.state.leadId && { leadId: ctx.state.leadId }),
    }
    if (ctx.status >= 500) log.error(line, 'request')
    else log.info(line, 'request')
  }
}
