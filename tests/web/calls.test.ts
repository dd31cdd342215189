import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from '../../core/contract/call.ts'
import { IdempotencyKey } from '../../core/contract/forms.ts'
import { act, call, urlOf } from '../../web/lib/call.ts'
import { HttpError, NoAnswerError } from '../../web/lib/http.ts'
import { createIdempotencyKeys } from '../../web/site/kept-input.ts'
import { type LoopbackServer, serveHttp } from '../support/loopback.ts'

const output = z.object({ id: z.number() })
const getThing = defineCall({ method: 'GET', path: '/api/thing', summary: 'A thing', access: 'public', output })
const changeThing = defineCall({
  ...getThing,
  method: 'PATCH',
  path: '/api/things/:id/:name',
  input: {
    params: RowParams.extend({ name: z.string() }),
    query: z.object({ wait: z.number().optional(), q: z.string().optional() }),
    body: z.object({ a: z.number() }),
  },
})
const startThing = defineCall({ ...getThing, method: 'POST', output: ActionAnswer })

let server: LoopbackServer | undefined
const { fetch } = globalThis

/** Starts what answers the calls: `call` names only paths, which a browser completes. */
async function serve(listener: RequestListener): Promise<void> {
  const started = await serveHttp(listener)
  server = started
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(started.url + path, init))
}

const answering = (status: number, body: string, type = 'application/json') =>
  serve((_request, response) => response.writeHead(status, { 'content-type': type }).end(body))

const UNEXPECTED = 'The server answered something unexpected. Please reload the page.'
const failure = () => call(getThing).catch((error: unknown) => error)

afterEach(async () => {
  vi.unstubAllGlobals()
  await server?.close()
})

it.each([
  [startThing, 'You are offline. Nothing was sent.'],
  [getThing, ''],
])(
  'a call while the browser is offline says that nothing was sent, if it would have changed something (%#)',
  async (to, message) => {
    vi.stubGlobal('navigator', { onLine: false })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call(to as typeof getThing)).rejects.toThrow(new NoAnswerError(undefined, message))
  },
)

describe('a call', () => {
  it('sends its parameters, its query and its body, and returns the checked answer', async () => {
    let sent: unknown
    await serve(async (request, response) => {
      const { method, url, headers } = request
      let body = ''
      for await (const chunk of request) body += chunk
      sent = { method, url, body, type: headers['content-type'], key: headers['idempotency-key'] }
      response.end('{"id":7,"more":true}')
    })
    const parts = { params: { id: 5, name: 'a/b' }, query: { wait: 3, q: undefined }, body: { a: 1 } }
    expect(await call(changeThing, { ...parts, idempotencyKey: 'k1' })).toEqual({ id: 7 })
    const url = '/api/things/5/a%2Fb?wait=3'
    expect(sent).toEqual({ method: 'PATCH', url, body: '{"a":1}', type: 'application/json', key: 'k1' })
    expect(urlOf(changeThing, { params: { id: 5, name: 'x' }, query: { q: 'a b' } })).toBe('/api/things/5/x?q=a+b')
  })

  it('that starts something fails with the reason in its answer', async () => {
    await answering(200, '{"success":false,"error":"It is under way already."}')
    await expect(act(startThing)).rejects.toThrow('It is under way already.')
  })

  it('says the status and the sentence of our API, with its code and fields', async () => {
    const fields = { email: 'Invalid email format' }
    await answering(422, JSON.stringify({ error: 'Please check the form.', code: 'invalid', fields }))
    const error = await failure()
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({ message: '422: Please check the form.', status: 422, code: 'invalid', fields })
  })

  it.each<[string, number, string, object]>([
    ['an error without a code', 500, '{"error":"Only error"}', { message: '500: Only error', code: undefined }],
    ['an error with a code that we do not know', 500, '{"error":"x","code":"teapot"}', { code: undefined }],
    ['a text that is not ours', 503, 'upstream is down\n', { message: '503: upstream is down' }],
    ['nothing', 502, '', { message: '502: Bad Gateway' }],
    ['markup', 502, '<html><body>Bad gateway</body></html>', { message: '502: Bad Gateway' }],
    ['an empty success', 200, '  ', { message: 'No data received from server' }],
    ['a success of another shape', 200, '{"id":"7"}', { message: UNEXPECTED }],
    ['a success that is markup', 200, '<html></html>', { message: UNEXPECTED }],
  ])('says what can be said of %s', async (_what, status, body, said) => {
    await answering(status, body, status === 503 ? 'text/plain' : status === 502 ? 'text/html' : undefined)
    expect(await failure()).toMatchObject(said)
  })

  it('has no message when nobody answers, so that the caller says what did not work', async () => {
    await serve((request) => request.socket.destroy())
    const error = await failure()
    expect(error).toBeInstanceOf(NoAnswerError)
    expect(error).toMatchObject({ message: '' })
  })

  it('waits as long as it is told to, and no longer', async () => {
    await serve((_request, response) => setTimeout(() => response.end('{"id":7}'), 300))
    await expect(call(getThing, { timeout: 100 })).rejects.toBeInstanceOf(NoAnswerError)
    expect(await call(getThing, { timeout: 10_000 })).toEqual({ id: 7 })
  })
})

describe('the key of a form', () => {
  it('is the same while the content is, and another one for other content and another form', () => {
    const keyOf = createIdempotencyKeys()
    const [first, again] = [keyOf({ email: 'a@b.example' }), keyOf({ email: 'a@b.example' })]
    expect(again).toBe(first)
    const others = [keyOf({ email: 'c@d.example' }), createIdempotencyKeys()({ email: 'a@b.example' })]
    expect(new Set([first, ...others]).size).toBe(3)
  })

  it('is one that the API takes, on origins without randomUUID too', () => {
    const withUuid = createIdempotencyKeys()({})
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    expect(IdempotencyKey.parse(withUuid)).toMatch(/^[\da-f-]{36}$/)
    expect(IdempotencyKey.parse(createIdempotencyKeys()({}))).toMatch(/^[\da-f]{32}$/)
  })
})
