import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/contract/time.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import { readText, retryAfter } from '../../worker/http.ts'
import { askCrm, readAnswer, refusal } from '../../worker/senders/crm-sender.ts'
import { shortenDeadlines } from '../support/deadlines.ts'

const MEGABYTE = 1024 * 1024
const answer = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers })

/** A body in chunks of so many bytes. `sent` counts those that were asked for. */
function bodyOf(...sizes: number[]) {
  const sent: number[] = []
  const body = new ReadableStream(
    {
      pull(controller) {
        const size = sizes[sent.length]
        if (size === undefined) return controller.close()
        sent.push(size)
        controller.enqueue(new Uint8Array(size).fill(0x61))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, sent }
}

describe('an answer that is not 2xx', () => {
  it.each([
    [
      'is retried later',
      'later',
      'The CRM could not accept the lead yet',
      [408, 423, 425, 429, 477, 500, 502, 503, 504, 599],
    ],
    [
      'is final',
      'never',
      'The CRM refused the lead',
      [400, 401, 403, 404, 405, 407, 409, 413, 422, 424, 426, 428, 430, 451, 499],
    ],
  ])('%s', (_, retry, words, statuses) => {
    for (const status of statuses) {
      expect(refusal(answer(status))).toMatchObject({ retry, status, message: `${words}: it answered ${status}.` })
    }
  })

  it.each([300, 301, 302, 304, 308, 399])('is final when it is %i, a redirect', (status) => {
    const message = `The CRM answered with a redirect (${status}), which we do not follow.`
    expect(refusal(answer(status))).toMatchObject({ retry: 'never', cause: 'wrong_address', message })
  })

  it('is final when it is 410, with what staff can do', () => {
    const message = 'The CRM says that this address is gone (410). Set the new address, then retry what failed.'
    expect(refusal(answer(410))).toMatchObject({ retry: 'never', cause: 'wrong_address', message })
  })

  it('means what the sender knows it to mean', () => {
    expect(refusal(answer(404), { isFinal: false })).toMatchObject({
      retry: 'later',
      message: 'The CRM could not accept the lead yet: it answered 404.',
    })
    expect(refusal(answer(503), { isFinal: true })).toMatchObject({
      retry: 'never',
      message: 'The CRM refused the lead: it answered 503.',
    })
  })

  it('keeps what the CRM said apart from our own words', () => {
    expect(refusal(answer(422), { detail: 'jordan@visitors.example is no email' })).toMatchObject({
      message: 'The CRM refused the lead: it answered 422.',
      detail: 'jordan@visitors.example is no email',
    })
  })

  it.each([
    [401, 'credentials'],
    [403, 'credentials'],
    [404, 'wrong_address'],
    [405, 'wrong_address'],
    [302, 'wrong_address'],
    [408, 'busy'],
    [425, 'busy'],
    [429, 'busy'],
    [500, 'server_error'],
    [503, 'server_error'],
    [400, 'refused'],
    [422, 'refused'],
  ])('has its cause by its status: %i is %s', (status, cause) => {
    expect(refusal(answer(status)).cause).toBe(cause)
  })

  it('is retried when it asks for it, and never when it is final', () => {
    expect(refusal(answer(503, { 'retry-after': '120' })).retryAfter).toBe(2 * MINUTE)
    expect(refusal(answer(503)).retryAfter).toBeUndefined()
    expect(refusal(answer(400, { 'retry-after': '120' })).retryAfter).toBeUndefined()
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')

  it.each([
    ['120', 2 * MINUTE],
    [' 120 ', 2 * MINUTE],
    ['1', SECOND],
    ['86400', DAY],
    ['86401', DAY],
    ['9'.repeat(400), DAY],
    ['Fri, 20 Nov 2026 13:00:00 GMT', HOUR],
    ['Friday, 20-Nov-26 13:00:00 GMT', HOUR],
    ['Fri, 20 Nov 2999 13:00:00 GMT', DAY],
    ['Fri Nov 20 13:00:00 2999', DAY],
    ['20 Nov 2999 13:00:00 GMT', DAY],
    [null, undefined],
    ['', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['5 minutes', undefined],
    ['1e3', undefined],
    // What looks like a date far away to JavaScript.
    ['try in 2090', DAY],
    ['Fri, 20 Nov 2026 12:00:00 GMT', undefined],
    ['Fri, 20 Nov 2026 11:00:00 GMT', undefined],
  ])('%j means %j ms', (header, expected) => {
    expect(retryAfter(header, now)).toBe(expected)
  })

  it('counts a date from now', () => {
    const wait = retryAfter(new Date(Date.now() + HOUR).toUTCString()) as number
    expect(Math.abs(wait - HOUR)).toBeLessThan(2 * MINUTE)
  })
})

describe('what a CRM answers', () => {
  it('is text of several bytes a character, wherever the chunks end', async () => {
    const bytes = new TextEncoder().encode('Zoë 李')
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect(await readAnswer(new Response(body))).toBe('Zoë 李')
  })

  it('is nothing when it has no body, or breaks off', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) })
    expect(await readAnswer(answer(204))).toBe('')
    expect(await readAnswer(new Response(broken))).toBe('')
  })

  it('is read up to 1 MiB', async () => {
    const { body } = bodyOf(MEGABYTE - 1, 1)
    expect(await readAnswer(new Response(body))).toHaveLength(MEGABYTE)
  })

  it('is no success when it is longer, and is retried', async () => {
    const { body, sent } = bodyOf(MEGABYTE, 1, 1)
    const error = await readAnswer(new Response(body, { status: 201 })).catch((reason: Error) => reason)
    expect(error).toBeInstanceOf(DeliveryError)
    expect(error).toMatchObject({
      retry: 'later',
      cause: 'server_error',
      status: 201,
      message: expect.stringMatching(
        /^The CRM’s answer was larger than 1 MB.+It may have accepted the lead, which is sent again\.$/,
      ),
    })
    expect(sent).toEqual([MEGABYTE, 1])
  })

  it('is nothing when it is a refusal that is longer: its status says enough', async () => {
    const { body } = bodyOf(MEGABYTE + 1)
    expect(await readAnswer(new Response(body, { status: 500 }))).toBe('')
  })

  it('is not read beyond the limit', async () => {
    const { body, sent } = bodyOf(4, 4, 4, 4)
    expect(await readText(new Response(body), 10)).toEqual({ text: 'a'.repeat(10), isWhole: false })
    expect(sent).toEqual([4, 4, 4])
    expect(await readText(new Response(bodyOf(4, 4).body), 8)).toEqual({ text: 'a'.repeat(8), isWhole: true })
    expect(await readText(new Response('aé'), 2)).toEqual({ text: 'a', isWhole: false })
    expect(await readText(answer(204), 8)).toEqual({ text: '', isWhole: true })
  })
})

describe('a call to a CRM', () => {
  /** A server on loopback, and the requests that it got. */
  async function startServer(answerTo: (response: ServerResponse) => void) {
    const requests: { method?: string; headers: IncomingHttpHeaders; body: string }[] = []
    const server = createServer(async (request, response) => {
      const body = await text(request)
      requests.push({ method: request.method, headers: request.headers, body })
      answerTo(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const close = () => {
      server.close()
      server.closeAllConnections()
    }
    onTestFinished(close)
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/leads`, requests, close }
  }
  const call = (url: string) =>
    askCrm(url, { method: 'POST', headers: { authorization: 'Bearer x' }, body: '{"id":7}' })
  const fails = (url: string) => call(url).catch((reason: DeliveryError) => reason)

  it('posts JSON, and follows no redirect', async () => {
    const { url, requests } = await startServer((response) => response.writeHead(302, { location: '/other' }).end('no'))
    const response = await call(url)
    expect(response).toMatchObject({ status: 302, ok: false })
    expect(response.headers.get('Location')).toBe('/other')
    expect(await readText(response, 10)).toEqual({ text: 'no', isWhole: true })
    expect(requests).toMatchObject([
      {
        method: 'POST',
        body: '{"id":7}',
        headers: { 'content-type': 'application/json', 'user-agent': 'Leadwell', authorization: 'Bearer x' },
      },
    ])
  })

  it('reads a compressed answer, and counts its bytes as they are then', async () => {
    const zipped = gzipSync('a'.repeat(1000))
    const { url } = await startServer((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped))
    expect(await readText(await call(url), 2000)).toEqual({ text: 'a'.repeat(1000), isWhole: true })
    expect(await readText(await call(url), 100)).toEqual({ text: 'a'.repeat(100), isWhole: false })
  })

  it.each(['GZIP', 'x-gzip', ' gzip '])('reads an answer that is compressed by %j', async (encoding) => {
    const zipped = gzipSync('whole')
    const { url } = await startServer((response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(zipped),
    )
    expect(await readText(await call(url), 100)).toEqual({ text: 'whole', isWhole: true })
  })

  it('that cannot be made is retried later, and says why', async () => {
    const { url, close } = await startServer((response) => response.socket?.destroy())
    const failure = { name: 'DeliveryError', cause: 'unreachable', retry: 'later', status: undefined }
    const message = 'The CRM could not be reached.'
    expect(await fails(url)).toMatchObject({ ...failure, message, detail: 'UND_ERR_SOCKET' })
    close()
    expect(await fails(url)).toMatchObject({ ...failure, message, detail: 'ECONNREFUSED' })
  })

  it('that gets no answer within 15 seconds is retried later', async () => {
    const { url } = await startServer(() => {})
    const deadlines = shortenDeadlines()
    const message = 'The CRM did not answer within 15 seconds.'
    expect(await fails(url)).toMatchObject({ message, cause: 'unreachable', retry: 'later' })
    expect(deadlines).toEqual([15 * SECOND])
  })
})
