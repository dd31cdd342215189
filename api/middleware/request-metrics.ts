import type { Middleware } from 'koa'
import { Histogram } from 'prom-client'
import { HTTP_STATUS } from '../../core/errors.ts'
import { DURATIONS, registry } from '../../core/platform/metrics.ts'
import { routeOf } from '../route-of.ts'
import { FORM_CALLS } from './plain-form.ts'

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

/**
 * Measures each response by the pattern of its route. An address is never a label, because it may contain personal
 * data.
 */
export function requestMetrics(): Middleware {
  return async (ctx, next) => {
    const stop = duration.startTimer()
    await next()
    stop({ method: METHODS.has(ctx.method) ? ctx.method : 'other', route: routeOf(ctx), status: ctx.status })
  }
}
