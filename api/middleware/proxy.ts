import { isIP, isIPv6 } from 'node:net'
import type { Context, Middleware } from 'koa'
import type { Env } from '../../core/env.ts'
import type { Logger } from '../../core/platform/log.ts'

type Needs = Pick<Env, 'TRUST_PROXY_HOPS'>

/**
 * Sets the visitor's address: that which the trusted proxies forward, or that of the connection where they forward none
 * that can be read. Drops `X-Forwarded-Host`: only `Host` selects the site, because proxies pass on a client's own
 * `X-Forwarded-Host`. Logs once that a proxy is ignored, and once that its entry cannot be read.
 */
export function proxyHeaders(env: Needs, log: Logger): Middleware {
  let isLogged = false
  let isUnusableLogged = false
  return async (ctx, next) => {
    delete ctx.req.headers['x-forwarded-host']
    const peer = ctx.req.socket.remoteAddress ?? ''
    // With trusted proxies, the entry of the outermost one.
    const [entry] = ctx.ips
    const forwarded = entry === undefined ? null : addressOf(entry)
    ctx.request.ip = forwarded ?? addressOf(peer) ?? peer
    if (entry !== undefined && !forwarded && !isUnusableLogged) {
      isUnusableLogged = true
      log.warn('a proxy forwards no readable address: all visitors share the address of the proxy')
    }
    if (!isLogged && isProxyIgnored(ctx, env)) {
      isLogged = true
      log.warn('requests come through a proxy, but TRUST_PROXY_HOPS is 0: all visitors share one address')
    }
    await next()
  }
}

/**
 * Reads an entry of `X-Forwarded-For`: without quotes, brackets, port and zone, as gateways write them. An IPv4 address
 * that is mapped into IPv6 becomes the IPv4 address. Returns null when it is no address, such as `unknown`.
 */
export function addressOf(entry: string): string | null {
  const bare = entry
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(bare) ?? []
  // Not before it is no address as it is, because the last group of an IPv6 address looks like a port.
  const candidates = bracketed === undefined ? [bare, bare.replace(/:\d{1,5}$/, '')] : [bracketed]
  const address = candidates.map((candidate) => candidate.replace(/%.*$/, '')).find((candidate) => isIP(candidate))
  if (address === undefined) return null
  if (!isIPv6(address)) return address

  // Of the many ways to write it, the one of RFC 5952.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical) ?? []
  if (high === undefined || low === undefined) return canonical
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** Returns whether a proxy forwarded this request although the settings name none. */
export function isProxyIgnored(ctx: Context, { TRUST_PROXY_HOPS }: Needs): boolean {
  return !TRUST_PROXY_HOPS && Boolean(ctx.get('x-forwarded-for') || ctx.get('forwarded'))
}
