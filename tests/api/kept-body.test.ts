import Koa from 'koa'
import compress from 'koa-compress'
import { afterAll, expect, it } from 'vitest'
import { answerKept, keepBody } from '../../api/parse.ts'
import { serveHttp } from '../support/loopback.ts'

const TEXT = 'The same page for everybody. '.repeat(500)
const kept = keepBody(TEXT)
const server = await serveHttp(
  new Koa()
    .use(compress())
    .use((ctx) => answerKept(ctx, kept))
    .callback(),
)
afterAll(server.close)

const ask = (encodings: string) => fetch(server.url, { headers: { 'accept-encoding': encodings } })

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
