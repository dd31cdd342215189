import { expect, it, vi } from 'vitest'
import { proxyHeaders } from '../../api/middleware/proxy.ts'
import type { Logger } from '../../core/platform/log.ts'

/** Sends requests with these headers through it. Returns how often it warned. */
async function warnings(TRUST_PROXY_HOPS: number, requests: Record<string, string>[]) {
  const warn = vi.fn()
  const middleware = proxyHeaders({ TRUST_PROXY_HOPS }, { warn } as unknown as Logger)
  for (const headers of requests) {
    const req = { headers, socket: { remoteAddress: '127.0.0.1' } }
    const ctx = { ip: '127.0.0.1', req, request: {}, get: (name: string) => headers[name] ?? '' }
    await middleware(ctx as never, async () => {})
  }
  return warn.mock.calls.length
}

it.each([
  [0, { 'x-forwarded-for': '198.51.100.9' }, 1],
  [0, { forwarded: 'for=198.51.100.9' }, 1],
  [0, {}, 0],
  [1, { 'x-forwarded-for': '198.51.100.9' }, 0],
])('logs once that a proxy is ignored: with %d trusted proxies and %j', async (hops, headers, times) => {
  expect(await warnings(hops, [headers, headers])).toBe(times)
})
