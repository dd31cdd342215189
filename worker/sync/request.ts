import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../../core/time.ts'
import { readStart, retryAfter } from '../senders/http.ts'
import { WordPressError } from './wordpress-error.ts'

/** What a request may take. Times are in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** From the request to the last byte of the answer. */
  deadline: 15 * SECOND,
  /** A page of a hundred posts has less than one. */
  largestAnswer: 20 * 1024 * 1024,
  redirects: 5,
  tries: 3,
  /** Before the second try; before the third it is four times as long. */
  firstPause: SECOND / 2,
  /** We wait no longer than this, whatever WordPress asks for. */
  longestPause: 10 * SECOND,
}
export type Limits = typeof LIMITS

export type Answer = {
  status: number
  headers: Headers
  /** Undefined for an answer that is no JSON. */
  json: unknown
  isWebPage: boolean
}

type Options = { headers: Record<string, string>; signal?: AbortSignal; limits: Limits }

const TEMPORARY = new Set([408, 425, 429])

/**
 * Asks WordPress for something, again if it could not answer for the moment. Follows redirects on the same host only: the
 * password goes nowhere else.
 * @throws WordPressError, or the signal's reason once that is aborted
 */
export async function request(address: string, options: Options): Promise<Answer> {
  const { tries, firstPause, longestPause } = options.limits
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestOnce(new URL(address), options)
    } catch (error) {
      if (!(error instanceof WordPressError) || !error.isTemporary || attempt === tries) throw error
      const pause = Math.max(error.askedFor, firstPause * 4 ** (attempt - 1))
      await sleep(Math.min(pause, longestPause), undefined, { signal: options.signal })
    }
  }
}

async function requestOnce(address: URL, { headers, signal, limits }: Options): Promise<Answer> {
  const timeout = AbortSignal.timeout(limits.deadline)
  const both = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    let target = address
    for (let redirects = 0; redirects <= limits.redirects; redirects++) {
      const response = await fetch(target, { headers, redirect: 'manual', signal: both })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) return await read(response, limits)
      await response.body?.cancel()
      target = sameHost(target, location)
    }
    throw new WordPressError('WordPress redirects in a loop.')
  } catch (error) {
    signal?.throwIfAborted()
    throw asWordPressError(error as Failure, limits)
  }
}

async function read(response: Response, limits: Limits): Promise<Answer> {
  const { status, headers } = response
  if (TEMPORARY.has(status) || status >= 500) {
    await response.body?.cancel()
    const askedFor = retryAfter(headers.get('retry-after'))
    throw new WordPressError(`WordPress answered ${status}.`, { isTemporary: true, askedFor })
  }
  const text = await readText(response, limits)
  return { status, headers, json: parse(text), isWebPage: text.startsWith('<') }
}

/** @throws WordPressError when it goes on and on */
async function readText(response: Response, { largestAnswer }: Limits): Promise<string> {
  const { text, isWhole } = await readStart(response, largestAnswer)
  // Without the byte order mark that some plugins leave before it.
  if (isWhole) return text.trimStart()
  throw new WordPressError(`WordPress sent more than ${Math.round(largestAnswer / 1024 / 1024)} MB for one page.`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where a redirect leads. @throws WordPressError when that is another host, or from https to http */
function sameHost(from: URL, location: string): URL {
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined
  const isUpgrade = from.protocol === 'http:' && to?.protocol === 'https:' && from.port === '' && to.port === ''
  if (to && to.hostname === from.hostname && (to.origin === from.origin || isUpgrade)) return to
  throw new WordPressError(
    `WordPress redirects to another host (${to?.host ?? 'an address that is none'}), which we do not follow. If that is the right one, set WORDPRESS_URL to it.`,
  )
}

type Failure = Error & { cause?: NodeJS.ErrnoException }

function asWordPressError(error: Failure, { deadline }: Limits): Error {
  if (error instanceof WordPressError) return error
  if (error.name === 'TimeoutError') {
    const message = `WordPress did not answer in full within ${deadline / SECOND} seconds.`
    return new WordPressError(message, { isTemporary: true, cause: error })
  }
  const reason = error.cause?.code ?? error.cause?.message ?? error.message
  return new WordPressError(`WordPress could not be reached: ${reason}.`, { isTemporary: true, cause: error })
}
