import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { call, HttpError, NoAnswerError } from '../../web/lib/http.ts'

const Answer = z.object({ id: z.number() })
let server: Server | undefined

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const answering = (status: number, body: string, type = 'application/json') =>
  serve((_request, response) => response.writeHead(status, { 'content-type': type }).end(body))

const failure = (url: string) => call(url, { answer: Answer }).catch((error: unknown) => error)

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

describe('a call', () => {
  it('sends JSON with its headers and returns the checked answer', async () => {
    const url = await serve(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const isAsSent =
        request.method === 'POST' &&
        request.headers['content-type'] === 'application/json' &&
        request.headers['idempotency-key'] === 'k1' &&
        body === '{"a":1}'
      response.end(JSON.stringify({ id: isAsSent ? 7 : 0, more: true }))
    })

    const answer = await call(url, {
      method: 'POST',
      body: { a: 1 },
      headers: { 'idempotency-key': 'k1' },
      answer: Answer,
    })

    expect(answer).toEqual({ id: 7 })
  })

  it('says the status and the sentence of our API, with its code and fields', async () => {
    const error = await failure(
      await answering(
        422,
        '{"error":"Please check the form.","code":"invalid","fields":{"email":"Invalid email format"}}',
      ),
    )

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
    const error = await failure(await answering(500, body))
    expect(error).toMatchObject({
      message: '500: Only error key',
      sentence: 'Only error key',
      code: undefined,
      fields: undefined,
    })
  })

  it('says the text of an answer that is not ours', async () => {
    const error = await failure(await answering(503, 'upstream is down\n', 'text/plain'))
    expect(error).toMatchObject({ message: '503: upstream is down', code: undefined })
  })

  it.each([
    ['nothing', ''],
    ['markup', '<html><body>Bad gateway</body></html>'],
  ])('says the status text when the body is %s', async (_name, body) => {
    expect(await failure(await answering(502, body, 'text/html'))).toMatchObject({ message: '502: Bad Gateway' })
  })

  it.each(['', '  ', 'null'])('refuses an empty answer (%j)', async (body) => {
    expect(await failure(await answering(200, body))).toMatchObject({ message: 'No data received from server' })
  })

  it.each(['{"id":"7"}', '<html></html>'])('refuses an answer of another shape (%s)', async (body) => {
    expect(await failure(await answering(200, body))).toMatchObject({
      message: 'The server answered something unexpected. Please reload the page.',
    })
  })

  it('has no message when nobody answers, so that the caller says what did not work', async () => {
    const error = await failure(await serve((request) => request.socket.destroy()))
    expect(error).toBeInstanceOf(NoAnswerError)
    expect(error).toMatchObject({ message: '' })
  })

  it('waits as long as it is told to, and no longer', async () => {
    const url = await serve((_request, response) => setTimeout(() => response.end('{"id":7}'), 300))

    await expect(call(url, { answer: Answer, deadline: 100 })).rejects.toBeInstanceOf(NoAnswerError)
    expect(await call(url, { answer: Answer, deadline: 10_000 })).toEqual({ id: 7 })
  })
})
