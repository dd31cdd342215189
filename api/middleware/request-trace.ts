import type { Middleware } from 'koa'
import { markFailed, SpanKind, traced } from '../../core/platform/trace.ts'
import { isCall, routeOf } from '../route-of.ts'

/**
 * Traces each call of the API under the name of its route (OpenTelemetry's conventions for HTTP). Ignores the
 * `traceparent` of visitors.
 */
export function requestTrace(): Middleware {
  return async (ctx, next) => {
    if (!isCall(ctx)) return next()
    const options = { kind: SpanKind.SERVER, parent: null, attributes: { 'http.request.method': ctx.method } }
    await traced(ctx.method, options, async (span) => {
      await next()
      const route = routeOf(ctx)
      span.updateName(`${ctx.method} ${route}`)
      span.setAttributes({
        'http.route': route,
        'http.response.status_code': ctx.status,
        'leadwell.request_id': ctx.state.requestId,
      })
      if (ctx.status >= 500) markFailed(span, String(ctx.status))
    })
  }
}
