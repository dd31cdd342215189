import type { IncomingMessage } from 'node:http'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { serveHttp } from '../support/loopback.ts'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

let answer: { status: number; type: string; body: Buffer; cacheControl?: string }
const asked: IncomingMessage[] = []
const upstream = await serveHttp((request, response) => {
  asked.push(request)
  if (answer.cacheControl) response.setHeader('cache-control', answer.cacheControl)
  response.writeHead(answer.status, { 'content-type': answer.type })
  response.end(answer.body)
})
const { api } = useApi({ MAP_TILE_URL: `${upstream.url}/{z}/{x}/{y}{r}.png?of={s}` }, { isKept: true })

beforeEach(() => {
  asked.length = 0
  answer = { status: 200, type: 'image/png', body: PNG }
})
afterAll(() => upstream.close())

const tile = (path: string, headers: Record<string, string> = {}) => fetch(`${api.url}/tiles/${path}`, { headers })

it('gets a tile once, for all visitors, without anything of theirs', async () => {
  const headers = { referer: `${api.url}/map?zip=78704`, cookie: 'a=b', 'user-agent': 'Phone', 'accept-language': 'es' }
  const [first, second] = await Promise.all([tile('4/3/6', headers), tile('4/3/6')])
  const third = await tile('4/3/6')
  for (const response of [first, second, third]) {
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
  }
  expect(first.headers.get('cache-control')).toBe(`public, max-age=${7 * 24 * 60 * 60}`)
  expect(asked.map(({ url }) => url)).toEqual(['/4/3/6.png?of=a'])
  const sent = JSON.stringify(asked[0]?.headers)
  expect(asked[0]?.headers['user-agent']).toMatch(/^Leadwell \(\+http/)
  for (const text of ['78704', 'a=b', 'Phone', '"es"', 'referer', 'forwarded']) expect(sent).not.toContain(text)
})

it.each(['4/16/0', '4/0/16', '20/0/0', '-1/0/0', '1.0/0/0', '4/3/6.png', '04/3/6', '4/3/x', '4/%2e%2e/6', '1e1/3/6'])(
  'asks nobody for %s, which is no part of the map',
  async (path) => {
    expect((await tile(path)).status).toBe(404)
    expect(asked).toEqual([])
  },
)

it.each([
  { what: 'an error', given: { status: 500, type: 'image/png', body: PNG } },
  { what: 'a web page', given: { status: 200, type: 'text/html', body: Buffer.from('<script>alert(1)</script>') } },
  { what: 'a redirect', given: { status: 302, type: 'image/png', body: PNG } },
  { what: 'more than a tile', given: { status: 200, type: 'image/png', body: Buffer.alloc(600 * 1024) } },
])('says that there is no tile for $what, and asks again the next time', async ({ given }) => {
  answer = given
  const refused = await tile('5/1/1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  await tile('5/1/1')
  expect(asked).toHaveLength(2)
})

it('lets a drawing run nothing', async () => {
  answer = { status: 200, type: 'image/svg+xml', body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }
  const policy = (await tile('6/1/1')).headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain('sandbox')
})
