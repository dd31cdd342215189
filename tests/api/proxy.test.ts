import Koa from 'koa'
import { describe, expect, it, vi } from 'vitest'
import { addressOf, proxyHeaders } from '../../api/middleware/proxy.ts'
import type { Logger } from '../../core/platform/log.ts'

/** Sends requests with these headers through it. Returns the addresses of the visitors, and how often it warned. */
async function answers(hops: number, requests: Record<string, string>[]) {
  const warn = vi.fn()
  const middleware = proxyHeaders({ TRUST_PROXY_HOPS: hops }, { warn } as unknown as Logger)
  const app = Object.assign(new Koa(), { proxy: hops > 0, maxIpsCount: hops })
  const addresses: string[] = []
  for (const headers of requests) {
    const ctx = app.createContext({ headers, socket: { remoteAddress: '::ffff:127.0.0.1' } } as never, {} as never)
    await middleware(ctx, async () => {})
    addresses.push(ctx.ip)
  }
  return { addresses, warnings: warn.mock.calls.length }
}

it.each([
  [0, { 'x-forwarded-for': '198.51.100.9' }, 1],
  [0, { forwarded: 'for=198.51.100.9' }, 1],
  [0, {}, 0],
  [1, {}, 0],
  [1, { 'x-forwarded-for': '198.51.100.9' }, 0],
  [1, { 'x-forwarded-for': 'unknown' }, 1],
  [1, { 'x-forwarded-for': '198.51.100.9, x' }, 1],
])('logs once that a proxy is ignored or unreadable: with %d trusted proxies and %j', async (hops, headers, times) => {
  expect((await answers(hops, [headers, headers])).warnings).toBe(times)
})

describe('the address of a visitor', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['"203.0.113.7:51234"', '203.0.113.7'],
    ['[203.0.113.7]:51234', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['2001:db8:0:0:0:0:0:1:51234', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25en0]:80', 'fe80::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['[::FFFF:203.0.113.9]:80', '203.0.113.9'],
    ['::ffff:203.0.113.9:51234', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ])('is read from %s', (entry, address) => {
    expect(addressOf(entry)).toBe(address)
  })

  it.each(['', 'unknown', '_hidden', '203.0.113', '203.0.113.7:port', '1.2.3.4:5:6', '[]', '[x]:1', '"', '::ffff:x'])(
    'is not read from %j',
    (entry) => {
      expect(addressOf(entry)).toBeNull()
    },
  )

  it('is the last one that a trusted proxy has added, or that of the connection', async () => {
    const headers = ['198.51.100.1, 203.0.113.7:51234', '198.51.100.1:1,unknown', 'unknown, [2001:db8::1]:443', '']
    const { addresses } = await answers(
      1,
      headers.map((value) => ({ 'x-forwarded-for': value })),
    )
    expect(addresses).toEqual(['203.0.113.7', '127.0.0.1', '2001:db8::1', '127.0.0.1'])
    expect((await answers(2, [{ 'x-forwarded-for': '198.51.100.1:5, 203.0.113.7:6' }])).addresses).toEqual([
      '198.51.100.1',
    ])
    expect((await answers(0, [{ 'x-forwarded-for': '203.0.113.7' }])).addresses).toEqual(['127.0.0.1'])
  })
})
