import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import compress from 'koa-compress'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerKept, keepBody } from '../../api/parse.ts'

const TEXT = 'The same page for everybody. '.repeat(500)
const kept = keepBody(TEXT)
const server = createServer(
  new Koa()
    .use(compress())
    .use((ctx) => answerKept(ctx, kept))
    .callback(),
)
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const ask = (encodings: string) => fetch(url, { headers: { 'accept-encoding': encodings } })

it.each([
  ['br, gzip', 'br'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['identity', null],
])('answers a browser that takes %s in %s', async (accepted, encoding) => {
  const answer = await ask(accepted)
  expect(answer.headers.get('content-encoding')).toBe(encoding)
  expect(answer.headers.get('vary')).toContain('Accept-Encoding')
  expect(await answer.text()).toBe(TEXT)
})
