import { isIP } from 'node:net'
import type { Context, Middleware } from 'koa'
import type { Env } from '../../core/env.ts'
import type { Logger } from '../../core/platform/log.ts'

type Needs = Pick<Env, 'TRUST_PROXY_HOPS'>

/**
 * Replaces an invalid forwarded address by that of the connection, and drops `X-Forwarded-Host`: only `Host` selects
 * the site, because proxies pass on a client's own `X-Forwarded-Host`. Logs once that a proxy is ignored.
 */
export function proxyHeaders(env: Needs, log: Logger): Middleware {
  let isLogged = false
  return async (ctx, next) => {
    delete ctx.req.headers['x-forwarded-host']
    if (!isIP(ctx.ip)) ctx.request.ip = ctx.req.socket.remoteAddress ?? ''
    if (!isLogged && isProxyIgnored(ctx, env)) {
      isLogged = true
      log.warn('requests come through a proxy, but TRUST_PROXY_HOPS is 0: all visitors count as one address')
    }
    await next()
  }
}

/** Returns whether a proxy forwarded this request although the settings name none. */
export function isProxyIgnored(ctx: Context, { TRUST_PROXY_HOPS }: Needs): boolean {
  return !TRUST_PROXY_HOPS && Boolean(ctx.get('x-forwarded-for') || ctx.get('forwarded'))
}
