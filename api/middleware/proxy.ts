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

/**
 * Lists the networks of an address, the smallest first. An IPv4 address is its own network. An IPv6 address has its /64,
 * the smallest that a customer holds (RFC 4291, 2.5.4), /56, and /48, the largest (RFC 6177, 2).
 */
export function networksOf(ip: string): string[] {
  if (ip.startsWith('::ffff:')) return [ip.slice('::ffff:'.length)]
  if (!isIPv6(ip)) return [ip]

  const [head = '', tail] = ip.split('::')
  const groups = head ? head.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - groups.length - (tail ? tail.split(':').length : 0)
  const [a = 0, b = 0, c = 0, d = 0] = [
    ...groups,
    ...Array(Math.max(0, zeros)).fill('0'),
    ...(tail ? tail.split(':') : []),
  ].map((group) => Number.parseInt(group, 16))
  const named = (...numbers: number[]) => numbers.map((number) => number.toString(16)).join(':')
  return [named(a, b, c, d), `${named(a, b, c, d & 0xff00)}/56`, `${named(a, b, c)}/48`]
}

/** Returns the smallest network of an address, which counts as one visitor. */
export function addressKey(ip: string): string {
  return networksOf(ip)[0] ?? ip
}

/**
 * Returns the network whose forms are counted: an IPv4 address, or an IPv6 /48, the largest that one customer holds. Returns
 * null for an unknown address and for this machine, which is a proxy that hides its visitors, or the operator who tries the
 * product.
 */
export function networkOf(ip: string | null): string | null {
  const network = ip ? networksOf(ip).at(-1) : undefined
  return network === undefined || ip === '::1' || network.startsWith('127.') ? null : network
}
