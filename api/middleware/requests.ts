import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'
import { Histogram } from 'prom-client'
import { HTTP_STATUS } from '../../core/errors.ts'
import { type Logger, onBehalfOf } from '../../core/platform/log.ts'
import { DURATIONS, registry } from '../../core/platform/process.ts'
import { isCall, loggedPath, routeOf } from '../route-of.ts'
import { FORM_CALLS } from './plain-form.ts'

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

const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time until an answer begins',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: DURATIONS,
  registers: [registry],
})
// Counters start at zero, or the first refused forms would not count as an increase.
for (const route of FORM_CALLS) {
  for (const status of [HTTP_STATUS.internal, HTTP_STATUS.unavailable]) duration.zero({ method: 'POST', route, status })
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** Measures each response by the pattern of its route. An address is never a label: it may contain personal data. */
export function requestMetrics(): Middleware {
  return async (ctx, next) => {
    const stop = duration.startTimer()
    await next()
    stop({ method: METHODS.has(ctx.method) ? ctx.method : 'other', route: routeOf(ctx), status: ctx.status })
  }
}
