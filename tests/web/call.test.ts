import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from '../../core/contract/call.ts'
import { act, call, urlOf } from '../../web/lib/call.ts'
import { HttpError, NoAnswerError } from '../../web/lib/http.ts'

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

let server: Server | undefined
const { fetch } = globalThis

/** Starts what answers the calls: `call` names only paths, which a browser completes. */
async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init))
}

const answering = (status: number, body: string, type = 'application/json') =>
  serve((_request, response) => response.writeHead(status, { 'content-type': type }).end(body))

const failure = () => call(getThing).catch((error: unknown) => error)

afterEach(() => {
  vi.unstubAllGlobals()
  server?.closeAllConnections()
  server?.close()
})

describe('a call while the browser is offline', () => {
  it.each([
    [startThing, 'You are offline. Nothing was sent.'],
    [getThing, ''],
  ])('says that nothing was sent, if it would have changed something (%#)', async (to, message) => {
    vi.stubGlobal('navigator', { onLine: false })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call(to as typeof getThing)).rejects.toThrow(new NoAnswerError(undefined, message))
  })
})

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

    const answer = await call(changeThing, {
      params: { id: 5, name: 'a/b' },
      query: { wait: 3, q: undefined },
      body: { a: 1 },
      idempotencyKey: 'k1',
    })

    expect(answer).toEqual({ id: 7 })
    const url = '/api/things/5/a%2Fb?wait=3'
    expect(sent).toEqual({ method: 'PATCH', url, body: '{"a":1}', type: 'application/json', key: 'k1' })
  })

  it('has an address', () => {
    expect(urlOf(getThing)).toBe('/api/thing')
    expect(urlOf(changeThing, { params: { id: 5, name: 'x' }, query: { q: 'a b' } })).toBe('/api/things/5/x?q=a+b')
  })

  it('that starts something fails with the reason in its answer', async () => {
    await answering(200, '{"success":false,"error":"It is under way already."}')
    await expect(act(startThing)).rejects.toThrow('It is under way already.')
  })

  it('says the status and the sentence of our API, with its code and fields', async () => {
    await answering(
      422,
      '{"error":"Please check the form.","code":"invalid","fields":{"email":"Invalid email format"}}',
    )
    const error = await failure()

    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({
      message: '422: Please check the form.',
      status: 422,
      code: 'invalid',
      fields: { email: 'Invalid email format' },
    })
  })

  it.each([
    ['without a code', '{"error":"Only error key"}'],
    ['with a code that we do not know', '{"error":"Only error key","code":"teapot","fields":7}'],
  ])('says the error of an answer %s', async (_, body) => {
    await answering(500, body)
    const error = await failure()
    expect(error).toMatchObject({
      message: '500: Only error key',
      sentence: 'Only error key',
      code: undefined,
      fields: undefined,
    })
  })

  it('says the text of an answer that is not ours', async () => {
    await answering(503, 'upstream is down\n', 'text/plain')
    const error = await failure()
    expect(error).toMatchObject({ message: '503: upstream is down', code: undefined })
  })

  it.each([
    ['nothing', ''],
    ['markup', '<html><body>Bad gateway</body></html>'],
  ])('says the status text when the body is %s', async (_name, body) => {
    await answering(502, body, 'text/html')
    expect(await failure()).toMatchObject({ message: '502: Bad Gateway' })
  })

  it.each(['', '  ', 'null'])('refuses an empty answer (%j)', async (body) => {
    await answering(200, body)
    expect(await failure()).toMatchObject({ message: 'No data received from server' })
  })

  it.each(['{"id":"7"}', '<html></html>'])('refuses an answer of another shape (%s)', async (body) => {
    await answering(200, body)
    expect(await failure()).toMatchObject({
      message: 'The server answered something unexpected. Please reload the page.',
    })
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
