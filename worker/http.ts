import { type IncomingMessage, request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { useAgent as publicAgent } from 'request-filtering-agent'
import { request as send } from 'undici'
import { DAY, SECOND } from '../core/contract/time.ts'

export const HTTP_TIMEOUT = 15 * SECOND
/** A longer Retry-After counts as this one: dates far in the future do not fit into the database. */
const MAX_RETRY_AFTER = DAY

export type HttpOptions = {
  method?: 'GET' | 'POST' | 'PATCH' | 'OPTIONS'
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
  /** From the request to the last byte of the answer, in milliseconds. */
  timeout?: number
  /** Redirects that are followed: none by default, because they could lead a lead or a password anywhere. */
  maxRedirects?: number
  /** Returns where a redirect leads, and throws where it must not lead. */
  redirect?: (from: URL, location: string) => URL
  /** Returns whether a host in a private network may be asked. The address that is connected to is checked. */
  isTrusted?: (url: URL) => boolean
}

/** An answer whose body is read once. Fetch's `Response` is one as well. */
export type HttpAnswer = {
  status: number
  ok: boolean
  headers: { get(name: string): string | null }
  body: AsyncIterable<Uint8Array> | null
}

type HttpProblem = 'timeout' | 'unreachable' | 'not_public' | 'redirect_loop'

/** No answer, or none in time. `detail` is the word of the server or of the system for it. */
export class HttpError extends Error {
  override name = 'HttpError'

  readonly reason: HttpProblem
  readonly detail: string

  constructor(reason: HttpProblem, detail: string, options?: ErrorOptions) {
    super(`${reason}: ${detail}`, options)
    this.reason = reason
    this.detail = detail
  }
}

/**
 * Sends a request to an outside system and returns its answer, whatever its status. The timeout and the signal go on
 * while the body is read: pass errors of reading it to `asHttpError`.
 * @throws HttpError; what `redirect` throws; the signal's reason once that is aborted
 */
export async function request(address: string | URL, options: HttpOptions = {}): Promise<HttpAnswer> {
  const { timeout = HTTP_TIMEOUT, maxRedirects = 0, redirect = (from, location) => new URL(location, from) } = options
  const deadline = AbortSignal.timeout(timeout)
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline
  let target = new URL(address)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await sendOnce(target, options, signal).catch((error) => {
      throw asHttpError(error, options.signal)
    })
    const location = response.headers.get('location')
    if (maxRedirects === 0 || !isRedirect(response.status) || location === null) return response
    await discard(response)
    target = redirect(target, location)
  }
  throw new HttpError('redirect_loop', `more than ${maxRedirects} redirects`)
}

async function sendOnce(
  url: URL,
  { method = 'GET', headers, body, isTrusted }: HttpOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const sent = { 'user-agent': 'Leadwell', 'accept-encoding': 'gzip', ...headers }
  if (!isTrusted || isTrusted(url)) {
    const answer = await send(url, { method, headers: sent, body, signal })
    return asAnswer(answer.statusCode, answer.headers, answer.body)
  }
  // The agent checks the address at the moment of the connection, also when the name resolves differently the second time.
  // It is one of node:http.
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sendPublic = url.protocol === 'https:' ? sendHttps : sendHttp
    sendPublic(url, { method, headers: sent, signal, agent: publicAgent(url.href) }, resolve)
      .on('error', reject)
      .end(body)
  })
  return asAnswer(answer.statusCode ?? 0, answer.headers, answer)
}

function asAnswer(status: number, headers: Record<string, string | string[] | undefined>, sent: Readable): HttpAnswer {
  const get = (name: string) => [headers[name.toLowerCase()] ?? []].flat().join(', ') || null
  // A limit on a body counts its bytes after this.
  // Codings ignore case, and x-gzip is gzip (RFC 9110, 8.4.1).
  const isZipped = /^(x-)?gzip$/i.test(get('content-encoding')?.trim() ?? '')
  const body = isZipped ? pipeline(sent, createGunzip(), () => {}) : sent
  return { status, ok: status >= 200 && status < 300, headers: { get }, body }
}

export async function discard({ body }: HttpAnswer): Promise<void> {
  for await (const _ of body ?? []) break
}

/** Turns an error of a request, or of its answer, into an HttpError. @throws the reason of `signal` once aborted */
export function asHttpError(error: unknown, signal?: AbortSignal): HttpError {
  signal?.throwIfAborted()
  if (error instanceof HttpError) return error
  const { name, message, code } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError' || name === 'AbortError') return new HttpError('timeout', message, { cause: error })
  // The words of request-filtering-agent.
  if (/is not allowed/.test(message)) return new HttpError('not_public', message, { cause: error })
  return new HttpError('unreachable', code ?? name, { cause: error })
}

/** Returns the first bytes of an answer, and whether that is all. Does not wait for the rest. */
export async function readBytes({ body }: HttpAnswer, maxBytes: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: size <= maxBytes }
}

/** Returns the first bytes of an answer as text, and whether that is all. Does not wait for the rest. */
export async function readText(response: HttpAnswer, maxBytes: number): Promise<{ text: string; isWhole: boolean }> {
  const { bytes, isWhole } = await readBytes(response, maxBytes)
  // Cut in the middle of a character, the text would end with a replacement character.
  return { text: new TextDecoder().decode(bytes, { stream: !isWhole }), isWhole }
}

/** Removes an address of ours from an answer, because it may be a secret. */
export function withoutAddress(text: string, url: string): string {
  const { pathname, search } = new URL(url)
  return [search, pathname].filter((part) => part.length > 1).reduce((said, part) => said.replaceAll(part, '…'), text)
}

export const isRedirect = (status: number) => status >= 300 && status < 400

/** Returns whether the status says that the same request may succeed later (RFC 9110, 15). */
export const isTemporary = (status: number) => status >= 500 || isBusy(status)

/** Returns whether the server asks for fewer or later requests. 423: RFC 4918, 11.3; 477: HubSpot's migrations. */
export const isBusy = (status: number) => [408, 423, 425, 429, 477].includes(status)

/** Parses Retry-After, seconds or a date, into milliseconds (RFC 9110, 10.2.3). At most a day; ignores an invalid one. */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now
  return wait > 0 ? Math.min(wait, MAX_RETRY_AFTER) : undefined
}
